import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RevisionPage } from '../../src/contract/revision.ts'
import { type Change, editLive, emptySpace, insertPage, readLive, sendContent, updatePage } from '../support/content.ts'
import { randomInteger, seededRandom } from '../support/random.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
let spaceId: string
let page: string
beforeAll(async () => {
  octavo = await startTestServer()
  spaceId = await emptySpace(octavo.admin)
  ;[page = ''] = await editLive(
    octavo.admin,
    spaceId,
    insertPage('# Page\n\nText', { ref: 'p' }),
    insertPage('# Sub', { into: 'p' }),
  )
})
afterAll(() => octavo.stop())

const edit = (...changes: Change[]) => editLive(octavo.admin, spaceId, ...changes)
const head = async () => (await octavo.admin.api.getSpaceById({ params: { spaceId } })).revision

const send = (body: string | Uint8Array<ArrayBuffer>) => sendContent(octavo, spaceId, body)

const paragraph = (text: string) => ({
  object: 'block',
  type: 'paragraph',
  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
})
const documentOf = (nodes: unknown[]) => ({ document: { object: 'document', data: {}, nodes } })
describe('a list of changes', () => {
  const wrong: [string, Change | (() => Change), string][] = [
    ['an unknown operation', { operation: 'explode' }, 'operation'],
    ['no operation', {}, 'operation'],
    ['an unknown page', updatePage('none', { title: 'x' }), 'page'],
    ['a page of a wrong type', { operation: 'update_page', page: 7 }, 'page'],
    ['an unknown page to delete', { operation: 'delete_page', page: 'none' }, 'page'],
    ['an unknown parent', insertPage('# x', { into: 'none' }), 'into'],
    ['an unknown parent and a slug', insertPage('# x', { into: 'none', slug: 'x' }), 'into'],
    ['an unknown parent of a page that is there', () => updatePage(page, { into: 'none' }), 'into'],
    ['a negative place', insertPage('# x', { at: -1 }), 'at'],
    ['a broken place', insertPage('# x', { at: 0.5 }), 'at'],
    ['a slug that is taken', insertPage('# x', { slug: 'Page' }), 'slug'],
    ['a title that is too long', insertPage('x', { title: 'x'.repeat(1001) }), 'title'],
    ['an empty title', () => updatePage(page, { title: '' }), 'title'],
    ['a heading that is too long for a title', insertPage(`# ${'x'.repeat(1001)}`), 'document.markdown'],
    ['no document', { operation: 'insert_page', title: 'x' }, 'document'],
    ['a condition that cannot be read', () => updatePage(page, { condition: 'visitor.' }), 'condition'],
    ['front matter that cannot be read', insertPage('---\na: [\n---\n\nx'), 'document.markdown'],
    ['front matter with a wrong value', insertPage('---\nhidden: perhaps\n---\n\nx'), 'document.markdown'],
    [
      'front matter with an icon that is too long',
      insertPage(`---\nicon: ${'x'.repeat(51)}\n---\n`),
      'document.markdown',
    ],
    ['front matter with a wrong condition', insertPage('---\nif: "1 +"\n---\n\nx'), 'document.markdown'],
    ['a name of a variable that is none', { operation: 'set_variables', variables: { 'a-b': 1 } }, 'variables.a-b'],
    ['a variable that is a list', { operation: 'set_variables', variables: { a: [] } }, 'variables.a'],
    ['a tag twice', { operation: 'set_tags', tags: [tag('a'), tag('b'), tag('a')] }, 'tags.2.slug'],
    ['an unknown file', { operation: 'update_file', file: 'none', name: 'x' }, 'file'],
    ['unknown files', { operation: 'delete_files', files: ['none'] }, 'files.0'],
    ['no files', { operation: 'insert_files', files: [] }, 'files'],
    ['a file from nowhere', { operation: 'insert_files', files: [{ name: 'x' }] }, 'files.0'],
    [
      'a file from two places',
      { operation: 'insert_files', files: [{ name: 'x', url: 'http://a.example', upload: 'u' }] },
      'files.0',
    ],
    [
      'a file of an unknown upload',
      { operation: 'insert_files', files: [{ name: 'x', upload: 'none' }] },
      'files.0.upload',
    ],
    [
      'a file that is no Base64',
      { operation: 'insert_files', files: [{ name: 'x', base64: '%', contentType: 'a/b' }] },
      'files.0.base64',
    ],
    [
      'a file without its type',
      { operation: 'insert_files', files: [{ name: 'x', base64: 'YQ==' }] },
      'files.0.contentType',
    ],
    ['unknown reused content', { operation: 'update_reusable_content', reusableContent: 'none' }, 'reusableContent'],
    [
      'unknown reused content to delete',
      { operation: 'delete_reusable_content', reusableContent: 'none' },
      'reusableContent',
    ],
    ['a target of an unknown kind', { operation: 'insert_link', title: 'x', target: { kind: 'moon' } }, 'target.kind'],
    [
      'a block of an unknown type',
      insertPage('', { document: documentOf([{ object: 'block', type: 'x' }]) }),
      'document.document.nodes.0.type',
    ],
    ['a block that is no block', insertPage('', { document: documentOf([7]) }), 'document.document.nodes.0'],
    [
      'text that is no text',
      insertPage('', { document: documentOf([{ ...paragraph('x'), nodes: [{ object: 'text', leaves: 7 }] }]) }),
      'document.document.nodes.0.nodes.0.leaves',
    ],
  ]

  test.each(wrong)('with %s is rejected with 400 at that field and changes nothing', async (_, change, field) => {
    const before = await head()
    const changes = [insertPage('# Good'), typeof change === 'function' ? change() : change, insertPage('# Also good')]
    expect(await refusal(edit(...changes))).toBe(`400 body.changes.1.${field}`)
    expect(await head()).toBe(before)
  })

  test('that moves a page into itself or a descendant is rejected with 400', async () => {
    const [top = '', middle = ''] = await edit(
      insertPage('# Top', { ref: 'top' }),
      insertPage('# Middle', { into: 'top', ref: 'middle' }),
      insertPage('# Bottom', { into: 'middle' }),
    )
    const { pages } = await octavo.admin.api.listPages({ params: { spaceId } })
    const bottom = pages
      .flatMap((one) => ('pages' in one ? one.pages : []))
      .flatMap((one) => ('pages' in one ? one.pages : []))
    for (const into of [top, middle, ...bottom.map(({ id }) => id)]) {
      expect(await refusal(edit(updatePage(top, { into })))).toBe('400 body.changes.0.into')
    }
    expect((await octavo.admin.api.listPages({ params: { spaceId } })).pages).toEqual(pages)
  })

  test('that is empty or has more than 50 changes is rejected with 400', async () => {
    expect(await refusal(edit())).toBe('400 body.changes')
    expect(await refusal(edit(...Array.from({ length: 51 }, () => insertPage('# x'))))).toBe('400 body.changes')
  })
})

const tag = (slug: string) => ({ slug, label: slug })

test('pages nested 50 levels deep are accepted, deeper ones are rejected with 400', async () => {
  const own = await emptySpace(octavo.admin)
  const changes = Array.from({ length: 50 }, (_, level) =>
    insertPage('x', { title: 'x', ref: `r${level}`, ...(level > 0 && { into: `r${level - 1}` }) }),
  )
  const ids = await editLive(octavo.admin, own, ...changes)
  const deeper = insertPage('# y', { into: ids[49] })
  expect(await refusal(editLive(octavo.admin, own, deeper))).toBe('400 body.changes.0.into')
  const wrapped = [insertPage('# y', { ref: 'y' }), updatePage(ids[0] as string, { into: 'y' })]
  expect(await refusal(editLive(octavo.admin, own, ...wrapped))).toBe('400 body.changes.1.into')
  const pagePath = Array.from({ length: 50 }, () => 'x').join('/')
  expect((await octavo.admin.api.getPageByPath({ params: { spaceId: own, pagePath } })).id).toBe(ids[49])
})

describe('request bodies', () => {
  test.each([
    ['invalid UTF-8', Buffer.from([...Buffer.from('{"changes":[{"operation":"'), 0xff, 0xfe, ...Buffer.from('"}]}')])],
    ['an overlong encoding', Buffer.from([...Buffer.from('{"changes":"'), 0xc0, 0xaf, ...Buffer.from('"}')])],
    ['half a surrogate pair', '{"changes":[{"operation":"insert_page","document":{"markdown":"a\\ud800b"}}]}'],
    ['the other half', '{"changes":[{"operation":"insert_page","document":{"markdown":"a\\uDE00b"}}]}'],
    ['half a pair in a key', '{"changes":[{"operation":"set_variables","variables":{"\\ud83d":1}}]}'],
    ['U+0000 in a text', '{"changes":[{"operation":"insert_page","document":{"markdown":"a\\u0000b"}}]}'],
    [
      'U+0000 in a document',
      JSON.stringify({ changes: [insertPage('', { document: documentOf([paragraph('\0')]) })] }),
    ],
    ['lists nested 100,000 deep', `{"changes":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    [
      'blocks nested 100,000 deep',
      `{"changes":[{"operation":"insert_page","document":{"document":{"object":"document","data":{},"nodes":[${'{"object":"block","type":"blockquote","nodes":['.repeat(100_000)}${']}'.repeat(100_000)}]}}}]}`,
    ],
    [
      'data nested 100,000 deep',
      `{"changes":[{"operation":"insert_page","document":{"document":{"object":"document","data":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}},"nodes":[7]}}}]}`,
    ],
    [
      'data of a block nested 100,000 deep',
      `{"changes":[{"operation":"insert_page","document":{"document":{"object":"document","data":{},"nodes":[{"object":"block","type":"integration","data":{"integration":"x","block":"y","props":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}},"nodes":[]}]}}}]}`,
    ],
    ['JSON that ends too early', '{"changes":[{'],
  ])('with %s are rejected with 400 or 413', async (_, body) => {
    const before = await head()
    expect(await send(body)).toMatch(/^4(00|13)\b/)
    expect(await head()).toBe(before)
  })

  test('with an escaped surrogate pair are accepted', async () => {
    expect(await send(`{"changes":[{"operation":"update_page","page":"${page}","emoji":"\\ud83d\\ude80"}]}`)).toBe(
      '200',
    )
    expect((await readLive(octavo.admin, spaceId, page)).emoji).toBe('🚀')
  })

  test('can use names of inherited object properties such as `constructor` and `__proto__`', async () => {
    const own = await emptySpace(octavo.admin)
    const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty']
    const variables = JSON.parse(`{${names.map((name) => `"${name}":"x"`).join(',')}}`) as Record<string, string>
    const [id = ''] = await editLive(
      octavo.admin,
      own,
      { operation: 'set_variables', variables },
      { operation: 'set_tags', tags: names.map(tag) },
      insertPage('x <code class="expression">space.vars.constructor</code>', { title: '__proto__', ref: 'toString' }),
    )
    const revision = await octavo.admin.api.getCurrentRevision({ params: { spaceId: own } })
    expect(revision.tags.map(({ slug }) => slug).sort()).toEqual([...names].sort())
    expect(revision.variables).toMatchObject({ constructor: 'x', toString: 'x', hasOwnProperty: 'x' })
    expect((await readLive(octavo.admin, own, id)).path).toBe('__proto__')
  })
})

test('random lists of changes return 200 or 400 and keep page ids and paths unique', async () => {
  const own = await emptySpace(octavo.admin)
  const chance = seededRandom(20_260_101)
  const pick = <Item>(...items: Item[]): Item => items[randomInteger(chance, 0, items.length - 1)] as Item
  const pages: string[] = []
  const someId = () => pick(...pages.slice(-8), 'a', 'b', 'none', '', '__proto__')
  const someValue = (): unknown =>
    pick<unknown>(null, '', 'x', -1, 0, 2, 1.5, true, [], {}, ['x'], { kind: 'page', page: someId() })
  const someText = () =>
    pick('', '# T', '[x](./a.md)', '---\nicon: x\n---\n# F', '{% tabs %}', '> q\n\n- l', '|a|\n|-|\n|b|')
  const makers: (() => Change)[] = [
    () =>
      insertPage(someText(), { into: pick(null, someId()), at: pick(undefined, 0, 3), ref: pick(undefined, 'a', 'b') }),
    () => updatePage(someId(), { document: { markdown: someText() }, slug: pick(undefined, '', 'a', 'b') }),
    () => updatePage(someId(), { into: pick(null, someId()), at: pick(undefined, 0, 1) }),
    () => ({ operation: 'delete_page', page: someId() }),
    () => ({ operation: 'revert_page', page: someId(), block: pick<unknown>(undefined, undefined, ['x']) }),
    () => ({ operation: 'insert_group', title: 'G', ref: pick(undefined, 'a') }),
    () => ({
      operation: 'insert_link',
      title: 'L',
      target: { kind: 'page', page: someId() },
      into: pick(null, someId()),
    }),
    () => ({ operation: 'set_variables', variables: { [pick('a', 'b', '1')]: pick<unknown>(1, null, 'x') } }),
    () => ({
      operation: 'insert_reusable_content',
      title: 'R',
      document: { markdown: someText() },
      ref: pick('a', 'r'),
    }),
    () => ({
      operation: pick('update_page', 'insert_page', 'update_group', 'update_link', 'delete_files'),
      page: someId(),
      document: someValue(),
      title: someValue(),
      layout: someValue(),
      files: someValue(),
    }),
  ]
  const statuses = new Map<number, number>()
  for (let round = 0; round < 80; round++) {
    const changes = Array.from({ length: randomInteger(chance, 1, 3) }, () => pick(...makers)())
    const reply = await octavo.fetch(`/v1/spaces/${own}/content`, {
      method: 'POST',
      token: octavo.admin.token,
      body: JSON.stringify({ changes }),
    })
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
    expect([JSON.stringify(changes), [200, 400].includes(reply.status)]).toEqual([JSON.stringify(changes), true])
    const { pages: tree } = await octavo.admin.api.listPages({ params: { spaceId: own } })
    const all = everyPage(tree)
    pages.splice(0, pages.length, ...all.map(({ id }) => id))
    expect(new Set(pages).size).toBe(pages.length)
    const paths = all.flatMap((one) => ('path' in one ? [one.path] : []))
    expect(new Set(paths).size).toBe(paths.length)
  }
  for (const status of [200, 400]) expect(statuses.get(status)).toBeGreaterThan(10)
})

function everyPage(list: readonly RevisionPage[]): RevisionPage[] {
  return list.flatMap((one) => [one, ...('pages' in one ? everyPage(one.pages) : [])])
}
