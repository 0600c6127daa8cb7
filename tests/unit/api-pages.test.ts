import { GitBookAPI } from '@gitbook/api'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { markup } from '../../src/render/html.ts'
import type { OpenApiContext } from '../../src/render/openapi/openapi-context.ts'
import { english } from '../../src/render/texts/english.ts'
import { ReferencePages } from '../../src/site/own/api-pages.ts'
import { createNotes, createSamples } from '../../src/site/own/api-samples.ts'

type Document = { paths: Record<string, Record<string, { operationId: string }>> }

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Document
const idsIn = ({ paths }: Document) =>
  Object.values(paths).flatMap((item) => Object.values(item).map((one) => one.operationId))

const document = read('openapi.json')
const pages = new ReferencePages(document, '/docs/api')
const context: OpenApiContext = {
  texts: english.openApi,
  renderMarkdown: (text) => markup`<p>${text}</p>`,
  renderCode: (text) => markup`<pre>${text}</pre>`,
  schemaHref: (name) => pages.schemaHref(name),
  samples: createSamples,
  notes: createNotes,
  newId: (prefix) => prefix,
  idPrefix: '',
  headingLevel: 2,
}

test('every operation has a page, every link between pages resolves, and no page exceeds 20 KB compressed', () => {
  const seen = new Set([''])
  const found = new Map<string, string>()
  // Iterating over the set also visits paths added during the loop.
  for (const path of seen) {
    const page = pages.find(path)
    const html = page?.content(context).text ?? ''
    if (page) found.set(path, html)
    for (const [, link = ''] of html.matchAll(/href="\/docs\/api\/?([^"#]*)/g)) seen.add(decodeURIComponent(link))
  }
  expect([...seen].filter((path) => !found.has(path))).toEqual([])
  const ids = idsIn(document)
  expect(ids.filter((id) => !found.has(id))).toEqual([])
  expect([...found].filter(([, html]) => gzipSync(html).length > 20 * 1024).map(([path]) => path)).toEqual([])
  for (const id of ids) {
    expect([id, found.get(id)?.includes('<dt>Access</dt>')]).toEqual([id, true])
    const { previous, next } = pages.neighbours(id)
    expect([id, previous !== undefined || next !== undefined]).toEqual([id, true])
  }
})

test('the sidebar lists every group and expands only the group of the current operation', () => {
  const parts = pages.sidebar('createOrganizationTeam')
  expect(parts.map(({ title }) => title)).toEqual([
    'Overview',
    'Organizations and people',
    'Content',
    'Sites',
    'Schemas',
  ])
  const open = parts.flatMap(({ children }) => children).filter((one) => one.kind !== 'gap' && one.children.length > 0)
  expect(open).toMatchObject([{ title: 'Teams' }])
  expect(open.flatMap((one) => (one.kind === 'gap' ? [] : one.children))).toContainEqual(
    expect.objectContaining({ href: '/docs/api/createOrganizationTeam', isCurrent: true }),
  )
})

test('code samples call only methods that the official client has', () => {
  const client: object = new GitBookAPI({})
  const rooms = Object.entries(client).filter(([, room]) => typeof room === 'object' && room !== null)
  for (const id of idsIn(document)) {
    const room = rooms.find(([, calls]) => typeof (calls as Record<string, unknown>)[id] === 'function')?.[0]
    const html = pages.find(id)?.content(context).text ?? ''
    const shown = /await client\.(\w+\.\w+)\(/.exec(html)?.[1]
    expect([id, shown]).toEqual([id, room === undefined ? undefined : `${room}.${id}`])
  }
})
