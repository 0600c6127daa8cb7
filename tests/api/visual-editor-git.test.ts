import { EditorState } from 'prosemirror-state'
import { expect, test } from 'vitest'
import { toDocument } from '../../src/app/editor/to-document.ts'
import type { Origins } from '../../src/app/editor/origins.ts'
import { toEditor } from '../../src/app/editor/to-editor.ts'
import type { Document } from '../../src/content/document/nodes.ts'
import { emptySpace, propose, updatePage } from '../support/content.ts'
import { exportTo, importFrom } from '../support/git.ts'
import type { GitServer } from '../support/git-server.ts'
import { gitServersForFile } from '../support/git-servers.ts'
import type { TestServer } from '../support/server.ts'

let octavo: TestServer
let server: GitServer

gitServersForFile((started) => ({ octavo, server } = started))

const source = `Install
=======

*  odd   marker
*  second

| a | b |
|---|:-:|
| 1 | 2 |
| 3   |  4 |

Some __words__ here.

\`\`\`\`js
let a = 1
\`\`\`\`
`

test('a word and a cell that are edited in the visual editor change one line each of the repository', async () => {
  const repository = server.newRepository({ 'README.md': source })
  const spaceId = await emptySpace(octavo.admin)
  await importFrom(octavo.admin, spaceId, repository)
  const { pages } = await octavo.admin.api.listPages({ params: { spaceId } })
  const pageId = pages[0]?.id ?? ''
  const page = await octavo.admin.api.getPageById({ params: { spaceId, pageId }, query: { format: 'document' } })
  const { revision } = await octavo.admin.api.getSpaceById({ params: { spaceId } })
  const origins: Origins = new WeakMap()
  const state = EditorState.create({
    doc: toEditor(('document' in page ? page.document : undefined) as unknown as Document, origins),
  })
  let at = 0
  state.doc.descendants((node, position) => void (node.text?.endsWith(' here.') && (at = position)))
  let cell = 0
  state.doc.descendants((node, position) => void (node.text === '2' && (cell = position)))
  const tr = state.tr.insertText('right ', at + 1).insertText('0', cell + 1)
  const edited = toDocument(state.apply(tr).doc, origins)
  const proposal = await propose(octavo.admin, spaceId)
  await proposal.edit(updatePage(pageId, { base: revision, document: { document: edited } }))
  await proposal.merge()
  await exportTo(octavo.admin, spaceId, repository)
  expect(repository.read('README.md')).toBe(source.replace(' here.', ' right here.').replace('| 1 | 2 |', '| 1 | 20 |'))
})
