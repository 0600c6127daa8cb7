import type { ChangeRequest } from '../../../contract/change-request.ts'
import type { ContentChanges } from '../../../contract/content-changes.ts'
import type { SpaceContentUpdate } from '../../../contract/content.ts'
import type { Space } from '../../../contract/space.ts'
import { request } from '../../api.ts'
import { changeContent, readHead } from '../../data/content-place.ts'
import { invalidate } from '../../data/query.ts'
import { navigate } from '../../router.ts'
import { fillText } from '../../texts.ts'
import { showError, showToast } from '../../ui/toasts.tsx'
import { treeTexts } from './tree-texts.ts'

export type Change = ContentChanges['changes'][number]

/** Where changes of content go: a change request; without one, the first change starts it. */
export interface ContentTarget {
  space: Space
  /** Number of the change request. */
  changeRequest: string | undefined
}

export async function startChangeRequest(space: Space): Promise<ChangeRequest> {
  const started = await request('POST /spaces/{spaceId}/change-requests', { params: { spaceId: space.id }, body: {} })
  showToast(fillText(treeTexts.started, { number: started.number }))
  return started
}

/** Applies changes and returns the result, with the number of the change request. */
export async function sendChanges(
  target: ContentTarget,
  changes: Change[],
): Promise<SpaceContentUpdate & { number: string }> {
  const { space } = target
  const number = target.changeRequest ?? String((await startChangeRequest(space)).number)
  const reply = await changeContent({ spaceId: space.id, changeRequestId: number }, changes)
  invalidate(`/spaces/${space.id}/change-requests`)
  return { ...reply, number }
}

/** Applies changes, and shows a screen of the change request if it was started for them: `/files`. */
export async function sendAndShow(target: ContentTarget, changes: Change[], screen: string) {
  const reply = await sendChanges(target, changes)
  if (target.changeRequest === undefined)
    navigate(`/spaces/${target.space.id}/change-requests/${reply.number}${screen}`)
  return reply
}

/** Returns the revision before a change; a change that undoes it restores this one. */
export async function readRevision({ space, changeRequest }: ContentTarget): Promise<string> {
  return changeRequest === undefined ? space.revision : readHead({ spaceId: space.id, changeRequestId: changeRequest })
}

/** Shows what was done, with a button that undoes it in the change request. */
export function offerUndo(text: string, { space }: ContentTarget, number: string, changes: Change[]): void {
  const undo = () => sendChanges({ space, changeRequest: number }, changes).catch(showError)
  showToast(text, { action: { title: treeTexts.undo, onSelect: () => void undo() } })
}
