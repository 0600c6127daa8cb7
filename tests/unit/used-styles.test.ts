import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createStyleFilter } from '../../src/render/used-styles.ts'

const used = (css: string, html: string) => createStyleFilter(css).selectUsed(html)

test('keeps a rule when all classes of one of its selectors are used', () => {
  const css = '.a{color:red}.b .c,.d{color:blue}p{margin:0}.a:hover>.e::before{content:"}"}'
  expect(used(css, '<p class="x">')).toBe('p{margin:0}')
  expect(used(css, '<p class="x a">')).toBe('.a{color:red}p{margin:0}')
  expect(used(css, '<i class="b"></i><i class="y d">')).toBe('.b .c,.d{color:blue}p{margin:0}')
  expect(used(css, '<i class="b c">')).toBe('.b .c,.d{color:blue}p{margin:0}')
  expect(used(css, '<i class="a"><i class="e">')).toBe('.a{color:red}p{margin:0}.a:hover>.e::before{content:"}"}')
})

test('does not require classes inside :is(), :not(), :has(), :where() and attribute selectors', () => {
  const css = ':is(.a,.b) p{x:1}.c:not(.d,:is(.e)){x:2}:root:has(.f){x:3}[class=".g"]{x:4}.h:where(.i){& .j{x:5}}'
  expect(used(css, '')).toBe(':is(.a,.b) p{x:1}:root:has(.f){x:3}[class=".g"]{x:4}')
  expect(used(css, '<i class="c">')).toContain('.c:not(.d,:is(.e)){x:2}')
  expect(used(css, '<i class="h">')).toContain('.h:where(.i){& .j{x:5}}')
})

test('keeps used rules inside groups, the order of layers and all rules without classes', () => {
  const css =
    '@layer x,y;@layer x{.a{x:1}}@media (width<=40rem){.a{x:2}@supports (x:y){.b{x:3}}}@font-face{src:url("a;}b")}@keyframes k{to{x:4}}:root{--a:\'}\';--b:\\}}'
  const always = '@font-face{src:url("a;}b")}@keyframes k{to{x:4}}:root{--a:\'}\';--b:\\}}'
  expect(used(css, '')).toBe(`@layer x,y;@layer x{}${always}`)
  expect(used(css, ' class="b"')).toBe(`@layer x,y;@layer x{}@media (width<=40rem){@supports (x:y){.b{x:3}}}${always}`)
})

test('keeps the whole site stylesheet when all classes are used, and less than half when none are', () => {
  const css = readFileSync(new URL('../../dist/assets/site.css', import.meta.url), 'utf8')
  const classes = Array.from(css.matchAll(/\.([a-zA-Z][\w-]*)/g), ([, name]) => name)
  expect(used(css, ` class="${classes.join(' ')}"`)).toBe(css)
  expect(used(css, '').length).toBeLessThan(css.length / 2)
})
