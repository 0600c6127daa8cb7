import { request } from '../../api.ts'
import { appHref } from '../../base-path.ts'
import { navigate } from '../../router.ts'
import { fillText } from '../../texts.ts'
import { copyText } from '../../ui/copy.tsx'
import type { TreePage } from './page-rows.ts'
import { type Change, type ContentTarget, offerUndo, readRevision, sendChanges } from './send-changes.ts'
import type { TreePosition } from './tree-moves.ts'
import { treeTexts } from './tree-texts.ts'

/** Where changes of the page tree go. */
export type TreeTarget = ContentTarget

/** Returns the change of a page, group or link, which have operations of their own. */
function toUpdate(page: TreePage, fields: { title?: string; hidden?: boolean } & Partial<TreePosition>): Change {
  if (page.type === 'group') return { operation: 'update_group', page: page.id, ...fields } as Change
  if (page.type === 'link') return { operation: 'update_link', page: page.id, ...fields }
  return { operation: 'update_page', page: page.id, ...fields }
}

/** Changes the page tree, and opens the change request if it was started for this change. */
async function apply(target: TreeTarget, changes: Change[], openPage?: string) {
  const { space } = target
  const { changes: results, number } = await sendChanges(target, changes)
  const created = results.find((result) => result.object === 'created_page')
  const pageId = created?.page.id ?? openPage
  const path = `/spaces/${space.id}/change-requests/${number}`
  if (target.changeRequest === undefined || created) navigate(pageId === undefined ? path : `${path}/pages/${pageId}`)
  return number
}

export const insertPage = (target: TreeTarget, into: string | null) =>
  apply(target, [
    { operation: 'insert_page', type: 'document', title: treeTexts.newPageTitle, document: { markdown: '' }, into },
  ])

export const insertGroup = (target: TreeTarget) =>
  apply(target, [{ operation: 'insert_group', title: treeTexts.newGroupTitle }])

export const renamePage = (target: TreeTarget, page: TreePage, title: string) =>
  apply(target, [toUpdate(page, { title })], page.id)

export const setHidden = (target: TreeTarget, page: TreePage, hidden: boolean) =>
  apply(target, [toUpdate(page, { hidden })], page.id)

export const movePage = (target: TreeTarget, page: TreePage, position: TreePosition) =>
  apply(target, [toUpdate(page, position)], page.id)

/** Inserts a copy of a page at a position, without the pages below it. */
export async function duplicatePage(target: TreeTarget, page: TreePage, position: TreePosition) {
  const { space, changeRequest } = target
  const query = { format: 'document' }
  const original = await (changeRequest === undefined
    ? request('GET /spaces/{spaceId}/content/page/{pageId}', {
        params: { spaceId: space.id, pageId: page.id },
        query,
      })
    : request('GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}', {
        params: { spaceId: space.id, changeRequestId: changeRequest, pageId: page.id },
        query,
      }))
  if (!('document' in original) || original.document === undefined) return
  const title = fillText(treeTexts.copyOf, { title: page.title })
  const { document } = original
  await apply(target, [{ operation: 'insert_page', type: 'document', title, document: { document }, ...position }])
}

/** Deletes a page and offers to undo it. */
export async function deletePage(target: TreeTarget, page: TreePage, parent: string | undefined) {
  const revision = await readRevision(target)
  const number = await apply(target, [{ operation: 'delete_page', page: page.id }], parent)
  offerUndo(fillText(treeTexts.deleted, { title: page.title }), target, number, [
    { operation: 'revert_page', page: page.id, revision },
  ])
}

/** Copies the address of a page. */
export async function copyPageLink(spaceId: string, pageId: string): Promise<void> {
  await copyText(new URL(appHref(`/spaces/${spaceId}/pages/${pageId}`), location.href).href)
}
