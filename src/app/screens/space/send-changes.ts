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

/** Where changes of content go: a change request; without one, the draft of the user, which the first change starts. */
export interface ContentTarget {
  space: Space
  /** Number of the change request. */
  changeRequest: string | undefined
}

/** A change request that exists, and whether the shown screen is not one of it. */
interface OpenTarget extends ContentTarget {
  changeRequest: string
  isElsewhere: boolean
}

/** Returns the change request that changes go to: without one, the latest draft of the user, or else a new one. */
export async function openTarget(target: ContentTarget | OpenTarget): Promise<OpenTarget> {
  if ('isElsewhere' in target) return target
  const { space, changeRequest } = target
  if (changeRequest !== undefined) return { space, changeRequest, isElsewhere: false }
  const { number } = (await continueDraft(space)) ?? (await startChangeRequest(space))
  return { space, changeRequest: String(number), isElsewhere: true }
}

async function continueDraft(space: Space): Promise<ChangeRequest | undefined> {
  const { id: creator } = await request('GET /user')
  const { items } = await request('GET /orgs/{organizationId}/change-requests', {
    params: { organizationId: space.organization },
    query: { creator, space: space.id, status: ['draft'], limit: 1 },
  })
  const [draft] = items
  if (draft) showToast(fillText(treeTexts.started, { number: draft.number }))
  return draft
}

export async function startChangeRequest(space: Space): Promise<ChangeRequest> {
  const started = await request('POST /spaces/{spaceId}/change-requests', { params: { spaceId: space.id }, body: {} })
  showToast(fillText(treeTexts.started, { number: started.number }))
  return started
}

/** Applies changes and returns the result, with the change request. */
export async function sendChanges(
  target: ContentTarget | OpenTarget,
  changes: Change[],
): Promise<SpaceContentUpdate & { number: string; isElsewhere: boolean }> {
  const { space, changeRequest, isElsewhere } = await openTarget(target)
  const reply = await changeContent({ spaceId: space.id, changeRequestId: changeRequest }, changes)
  invalidate(`/spaces/${space.id}/change-requests`)
  return { ...reply, number: changeRequest, isElsewhere }
}

/** Applies changes, and shows a screen of the change request if another one is shown: `/files`. */
export async function sendAndShow(target: ContentTarget | OpenTarget, changes: Change[], screen: string) {
  const reply = await sendChanges(target, changes)
  if (reply.isElsewhere) navigate(`/spaces/${target.space.id}/change-requests/${reply.number}${screen}`)
  return reply
}

/** Returns the revision before a change; a change that undoes it restores this one. */
export const readRevision = ({ space, changeRequest }: OpenTarget): Promise<string> =>
  readHead({ spaceId: space.id, changeRequestId: changeRequest })

/** Shows what was done, with a button that undoes it in the change request. */
export function offerUndo(text: string, { space }: ContentTarget, number: string, changes: Change[]): void {
  const undo = () => sendChanges({ space, changeRequest: number }, changes).catch(showError)
  showToast(text, { action: { title: treeTexts.undo, onSelect: () => void undo() } })
}
