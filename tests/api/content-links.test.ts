import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Change, insertPage, updatePage, writePage } from '../support/content.ts'
import { spaceWith as makeSpace } from '../support/content-space.ts'
import { refusal } from '../support/refusal.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const api = () => octavo.admin.api
const spaceWith = (...changes: Change[]) => makeSpace(octavo.admin, ...changes)

test('front matter can reference files and pages of the same list of changes', async () => {
  const { params, page } = await spaceWith(
    insertPage('---\ncover: ./pic\nmetaLinks:\n  canonical: ./two.md\n---\n\n# One', { ref: 'one' }),
    insertPage('# Two', { ref: 'two' }),
    { operation: 'insert_files', files: [{ ref: 'pic', name: 'p.txt', contentType: 'text/plain', base64: 'YQ==' }] },
  )
  const { files } = await api().getCurrentRevision({ params })
  expect(await api().getPageById({ params: { ...params, pageId: page(0) } })).toMatchObject({
    cover: { ref: { kind: 'file', file: files[0]?.id } },
    metaLinks: { canonical: { kind: 'page', page: page(1) } },
  })
})

describe('refs in a list of changes', () => {
  test('are resolved in the documents of all other changes, in any order', async () => {
    const { page, read, params, paths } = await spaceWith(
      insertPage('# One\n\n[two](./two.md#part) [mention](./two.md "mention")\n\n![pic](./pic)', {
        ref: 'one',
      }),
      insertPage('# Child\n\n{% include "./note" %}\n\n[one](./one.md)\n\n{% file src="./pic" %}', { into: 'one' }),
      { operation: 'insert_reusable_content', title: 'Note', document: { markdown: '[two](./two.md)' }, ref: 'note' },
      insertPage('# Two\n\n## Part', { ref: 'two', slug: 'second' }),
      { operation: 'insert_files', files: [{ ref: 'pic', name: 'p.txt', contentType: 'text/plain', base64: 'YQ==' }] },
    )
    expect(await paths()).toEqual(['one', 'one/child', 'second'])
    const { files, reusableContents } = await api().getCurrentRevision({ params })
    const stable = async (index: number) => {
      const query = { format: 'markdown', 'format.markdown.refs': 'stable' }
      const one = await api().getPageById({ params: { ...params, pageId: page(index) }, query })
      return 'markdown' in one ? one.markdown : undefined
    }
    const [file, note] = [files[0]?.id, reusableContents[0]?.id]
    expect(await stable(0)).toContain(`[two](/pages/${page(2)}#part)`)
    expect(await stable(0)).toContain(`src="/files/${file}"`)
    expect(await stable(0)).toContain(`(/pages/${page(2)} "mention")`)
    expect(await stable(1)).toContain(`{% include "/reusable-content/${note}" %}`)
    expect(await stable(1)).toContain(`[one](/pages/${page(0)})`)
    expect(await stable(1)).toContain(`{% file src="/files/${file}" %}`)
    const inRevision = { ...params, revisionId: (await api().getCurrentRevision({ params })).id }
    const document = await api().getReusableContentDocumentInRevisionById({
      params: { ...inRevision, reusableContentId: note as string },
    })
    expect(JSON.stringify(document)).toContain(`{"kind":"page","page":"${page(2)}"}`)
    expect((await read(page(1))).markdown).toContain('[one](../README.md)')
  })

  test('must be unique, are valid only in their list, and must precede their use as a parent', async () => {
    const { edit, revision } = await spaceWith(insertPage('# A', { ref: 'a' }))
    const before = await revision()
    const twice = [insertPage('# B', { ref: 'b' }), { operation: 'insert_group', title: 'B', ref: 'b' }]
    expect(await refusal(edit(...twice))).toBe('400 body.changes.1.ref')
    expect(await refusal(edit(insertPage('# B', { into: 'a' })))).toBe('400 body.changes.0.into')
    // Changes apply in order, so a parent must be inserted before its children.
    expect(await refusal(edit(insertPage('# C', { into: 'late' }), insertPage('# L', { ref: 'late' })))).toBe(
      '400 body.changes.0.into',
    )
    expect(await revision()).toBe(before)
  })

  test('can be used to update or delete content created in the same list', async () => {
    const { spaceId, edit, paths } = await spaceWith(insertPage('# A'))
    await edit(
      insertPage('# B', { ref: 'b' }),
      updatePage('b', { slug: 'bee' }),
      insertPage('# C', { ref: 'c' }),
      { operation: 'delete_page', page: 'c' },
      { operation: 'insert_reusable_content', title: 'N', document: {}, ref: 'n' },
      { operation: 'delete_reusable_content', reusableContent: 'n' },
    )
    expect(await paths()).toEqual(['a', 'bee'])
    expect((await api().getCurrentRevision({ params: { spaceId } })).reusableContents).toEqual([])
  })
})

test('every supported link form is resolved to its page, and other links are stored as URLs', async () => {
  const { page, edit, params } = await spaceWith(
    insertPage('# Home'),
    insertPage('# Guide', { ref: 'guide' }),
    insertPage('# Intro', { into: 'guide', ref: 'intro' }),
    insertPage('# Setup', { into: 'guide' }),
  )
  const [home, guide, intro, setup] = [page(0), page(1), page(2), page(3)]
  const targetOf = async (written: string) => {
    await edit(writePage(intro, `[x](${written})`))
    const query = { format: 'document' }
    const read = await api().getPageById({ params: { ...params, pageId: intro }, query })
    const text = JSON.stringify('document' in read ? read.document : {})
    return JSON.parse(/"ref":(\{[^}]*\})/.exec(text)?.[1] ?? 'null') as unknown
  }
  const forms: [written: string, page: string, anchor?: string][] = [
    [`/pages/${setup}`, setup],
    [`/pages/${setup}#part`, setup, 'part'],
    ['/pages/guide/setup', setup],
    ['/pages/guide/setup.md', setup],
    ['/pages/guide/setup.md#part', setup, 'part'],
    ['/pages/guide', guide],
    ['/pages/guide#part', guide, 'part'],
    ['/pages/guide.md', guide],
    ['/pages/guide/README.md', guide],
    ['/pages/guide/', guide],
    ['/pages/README.md', home],
    ['setup.md', setup],
    ['./setup.md', setup],
    ['./Setup.md#part', setup, 'part'],
    ['../guide/setup.md', setup],
    ['./', guide],
    ['README.md', guide],
    ['../guide/', guide],
    ['../README.md', home],
    ['../', home],
    ['/guide/setup.md', setup],
    ['/', home],
    ['setup%2Emd', setup],
  ]
  for (const [written, target, anchor] of forms) {
    const expected = anchor === undefined ? { kind: 'page', page: target } : { kind: 'anchor', anchor, page: target }
    expect([written, await targetOf(written)]).toEqual([written, expected])
  }
  expect(await targetOf('#part')).toEqual({ kind: 'anchor', anchor: 'part' })
  expect(await targetOf('/files/abc')).toEqual({ kind: 'file', file: 'abc' })
  // A link without a matching page is not an error and is stored as written.
  for (const url of [
    './nowhere.md',
    '../../../etc/passwd',
    'https://example.com/a.md',
    '//x.example/a.md',
    'mailto:a@b.c',
  ]) {
    expect(await targetOf(url)).toEqual({ kind: 'url', url })
  }
})
