import type { Space } from '../../../contract/space.ts'
import { navigate } from '../../router.ts'
import { startChangeRequest } from '../space/send-changes.ts'
import { type Draft, removeDraft, storeDraft } from './drafts.ts'
import { editTexts as texts } from './edit-texts.ts'
import { toEditorPath } from './editor-path.ts'
import type { PagePlace } from './page-text.ts'

/** Opens a page in a new change request, with the text that could not be saved live. */
export async function continueInChangeRequest(space: Space, place: PagePlace, draft: Draft | undefined): Promise<void> {
  const { id, number } = await startChangeRequest(space)
  if (draft && !storeDraft({ ...place, changeRequestId: id }, { ...draft, isMoved: true }))
    throw new Error(texts.notStored)
  if (draft) removeDraft(place, draft)
  navigate(toEditorPath(place, number))
}
