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

/** Target of content changes: a change request; undefined for the draft of the user, which the first change creates. */
export interface ContentTarget {
  space: Space
  /** Number of the change request. */
  changeRequest: string | undefined
}

/** An existing change request, and whether the current screen belongs to another one or to the live content. */
interface OpenTarget extends ContentTarget {
  changeRequest: string
  isElsewhere: boolean
}

/** Returns the change request for changes: the given one, the latest draft of the user, or a new one. */
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

/** Applies changes and returns the result with the change request. */
export async function sendChanges(
  target: ContentTarget | OpenTarget,
  changes: Change[],
): Promise<SpaceContentUpdate & { number: string; isElsewhere: boolean }> {
  const { space, changeRequest, isElsewhere } = await openTarget(target)
  const reply = await changeContent({ spaceId: space.id, changeRequestId: changeRequest }, changes)
  invalidate(`/spaces/${space.id}/change-requests`)
  return { ...reply, number: changeRequest, isElsewhere }
}

/** Applies changes, and opens a screen of the change request, such as `/files`, if another one is shown. */
export async function sendAndShow(target: ContentTarget | OpenTarget, changes: Change[], screen: string) {
  const reply = await sendChanges(target, changes)
  if (reply.isElsewhere) navigate(`/spaces/${target.space.id}/change-requests/${reply.number}${screen}`)
  return reply
}

/** Returns the revision before a change, which is restored to undo the change. */
export const readRevision = ({ space, changeRequest }: OpenTarget): Promise<string> =>
  readHead({ spaceId: space.id, changeRequestId: changeRequest })

/** Shows a message about a change, with a button that undoes it in the change request. */
export function offerUndo(text: string, { space }: ContentTarget, number: string, changes: Change[]): void {
  const undo = () => sendChanges({ space, changeRequest: number }, changes).catch(showError)
  showToast(text, { action: { title: treeTexts.undo, onSelect: () => void undo() } })
}
