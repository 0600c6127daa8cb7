import type { SpaceContentUpdate } from '../../../contract/content.ts'
import { request } from '../../api.ts'
import { appHref } from '../../base-path.ts'
import { navigate } from '../../router.ts'
import { fillText } from '../../texts.ts'
import { copyText } from '../../ui/copy.tsx'
import { newPageQuery } from '../edit/editor-path.ts'
import type { TreePage } from './page-rows.ts'
import { type Change, type ContentTarget, offerUndo, openTarget, readRevision, sendChanges } from './send-changes.ts'
import type { TreePosition } from './tree-moves.ts'
import { treeTexts } from './tree-texts.ts'

/** Target of changes of the page tree. */
export type TreeTarget = ContentTarget

/** Returns the change of a page, group or link, which have different operations. */
function toUpdate(page: TreePage, fields: { title?: string; hidden?: boolean } & Partial<TreePosition>): Change {
  if (page.type === 'group') return { operation: 'update_group', page: page.id, ...fields } as Change
  if (page.type === 'link') return { operation: 'update_link', page: page.id, ...fields }
  return { operation: 'update_page', page: page.id, ...fields }
}

/** Returns the path of a change request, with the editor of a page; groups and links have none. */
const toPath = ({ space }: TreeTarget, number: string, page?: Pick<TreePage, 'id' | 'type'>): string =>
  `/spaces/${space.id}/change-requests/${number}${page?.type === 'document' ? `/pages/${page.id}` : ''}`

/** Changes the page tree, and opens the change request with a page if another screen is shown. */
async function apply(target: TreeTarget, changes: Change[], shown: TreePage | undefined) {
  const { changes: results, number, isElsewhere } = await sendChanges(target, changes)
  if (isElsewhere) navigate(toPath(target, number, shown))
  return { number, createdId: findCreated(results) }
}

const findCreated = (results: SpaceContentUpdate['changes']): string | undefined =>
  results.find((result) => result.object === 'created_page')?.page.id

/** Inserts a page and opens its editor. */
async function insertAndOpen(target: TreeTarget, change: Change, query = ''): Promise<void> {
  const { changes: results, number } = await sendChanges(target, [change])
  const id = findCreated(results)
  if (id !== undefined) navigate(toPath(target, number, { id, type: 'document' }) + query)
}

/** Inserts an empty page; its editor starts in the title. */
export const insertPage = (target: TreeTarget, into: string | null): Promise<void> =>
  insertAndOpen(
    target,
    { operation: 'insert_page', type: 'document', title: treeTexts.newPageTitle, document: { markdown: '' }, into },
    `?${newPageQuery}`,
  )

/** Inserts a group and returns its ID. The current page remains open. */
export async function insertGroup(target: TreeTarget, shown: TreePage | undefined): Promise<string | undefined> {
  const { createdId } = await apply(target, [{ operation: 'insert_group', title: treeTexts.newGroupTitle }], shown)
  return createdId
}

export const renamePage = (target: TreeTarget, page: TreePage, title: string) =>
  apply(target, [toUpdate(page, { title })], page)

export const setHidden = (target: TreeTarget, page: TreePage, hidden: boolean) =>
  apply(target, [toUpdate(page, { hidden })], page)

export const movePage = (target: TreeTarget, page: TreePage, position: TreePosition) =>
  apply(target, [toUpdate(page, position)], page)

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
  await insertAndOpen(target, {
    operation: 'insert_page',
    type: 'document',
    title,
    document: { document },
    ...position,
  })
}

/** Deletes a page and offers to undo it. */
export async function deletePage(target: TreeTarget, page: TreePage, parent: TreePage | undefined) {
  const opened = await openTarget(target)
  const revision = await readRevision(opened)
  const { number } = await apply(opened, [{ operation: 'delete_page', page: page.id }], parent)
  offerUndo(fillText(treeTexts.deleted, { title: page.title }), target, number, [
    { operation: 'revert_page', page: page.id, revision },
  ])
}

/** Copies the address of a page. */
export async function copyPageLink(spaceId: string, pageId: string): Promise<void> {
  await copyText(new URL(appHref(`/spaces/${spaceId}/pages/${pageId}`), location.href).href)
}
