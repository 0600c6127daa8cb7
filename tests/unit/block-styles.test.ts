import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createDocument } from '../../src/content/document/build.ts'
import { renderDocument } from '../../src/render/document.ts'
import { blockOfEachType } from '../support/blocks.ts'
import { createRenderContext } from '../support/render-context.ts'

const folder = new URL('../../assets/site/', import.meta.url)
const css = readdirSync(folder)
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n')
const styled = new Set(Array.from(css.matchAll(/\.([a-zA-Z][\w-]*)/g), ([, name]) => name))

/** Classes without styles of their own, for scripts and custom styles. */
const unstyled = new Set(['expression', 'icon', 'table', 'updates', 'vertical-top'])

test.each(Object.entries(blockOfEachType))('the block %s uses only classes that have styles', (_, block) => {
  const html = renderDocument(createDocument([block]), createRenderContext()).text
  const classes = Array.from(html.matchAll(/ class="([^"]*)"/g), ([, list = '']) => list.split(' ')).flat()
  expect(classes.filter((name) => !styled.has(name) && !unstyled.has(name))).toEqual([])
})
