import { useState } from 'preact/hooks'
import type { ChangeRequest } from '../../../contract/change-request.ts'
import { Button } from '../../ui/button.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import { useAction } from '../../ui/use-action.ts'
import { changeRequestTexts } from '../change-requests/change-request-list.tsx'
import { texts } from './texts.ts'
import { isActive, patchChangeRequest } from './use-change-request.ts'

/** Maximum length of a subject, which is the same in the API. */
const maxLength = 100

/** Number and subject of a change request; users who may edit it can change the subject in place. */
export function Subject({ changeRequest }: { changeRequest: ChangeRequest }) {
  const { number, subject, permissions } = changeRequest
  const [draft, setDraft] = useState<string | undefined>(undefined)
  const [save, isSaving] = useAction(async () => {
    if (draft !== undefined && draft.trim() !== subject)
      await patchChangeRequest(changeRequest, { subject: draft.trim() })
    setDraft(undefined)
  })
  if (draft === undefined) {
    return (
      <div class="cr-subject">
        <h1>
          <span class="cr-number">#{number}</span> {subject || changeRequestTexts.untitled}
        </h1>
        {permissions.edit && isActive(changeRequest) && (
          <Button kind="quiet" icon="edit" label={texts.editSubject} onClick={() => setDraft(subject)} />
        )}
      </div>
    )
  }
  return (
    <form
      class="cr-subject"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      onKeyDown={(event) => event.key === 'Escape' && setDraft(undefined)}
    >
      <input
        class="input"
        aria-label={texts.subject}
        value={draft}
        maxLength={maxLength}
        autoFocus
        onInput={(event) => setDraft(event.currentTarget.value)}
      />
      <Button type="submit" kind="primary" isBusy={isSaving}>
        {texts.save}
      </Button>
      <Button onClick={() => setDraft(undefined)}>{uiTexts.cancel}</Button>
    </form>
  )
}
