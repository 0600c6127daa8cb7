import { useState } from 'preact/hooks'
import type { ChangeRequest } from '../../../contract/change-request.ts'
import { request } from '../../api.ts'
import { useQuery } from '../../data/query.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { Loading } from '../../ui/states.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import { useAction } from '../../ui/use-action.ts'
import { emptyDraft, readDraft, writeDraft } from '../comments/comment-drafts.ts'
import { texts } from './overview-texts.ts'
import { RenderedText } from './rendered-text.tsx'
import { invalidateChangeRequests, isActive, paramsOf } from './use-change-request.ts'

/** Description of a change request, which its author writes in Markdown. */
export function Description({ changeRequest }: { changeRequest: ChangeRequest }) {
  const { description, permissions } = changeRequest
  const [isEditing, setEditing] = useState(false)
  const canEdit = permissions.edit && isActive(changeRequest)
  return (
    <section class="section cr-description">
      <h2>
        {texts.description}
        {canEdit && !isEditing && description && (
          <Button kind="quiet" icon="edit" label={texts.editDescription} onClick={() => setEditing(true)} />
        )}
      </h2>
      {isEditing ? (
        <DescriptionForm changeRequest={changeRequest} onClose={() => setEditing(false)} />
      ) : description ? (
        <RenderedText changeRequest={changeRequest} body={{ document: description }} />
      ) : (
        <p class="quiet">{canEdit ? texts.noDescription : texts.noDescriptionReader}</p>
      )}
      {canEdit && !isEditing && !description && (
        <Button icon="plus" onClick={() => setEditing(true)}>
          {texts.addDescription}
        </Button>
      )}
    </section>
  )
}

/** Reads the Markdown of the description and edits it. */
function DescriptionForm({ changeRequest, onClose }: { changeRequest: ChangeRequest; onClose: () => void }) {
  const { data } = useQuery('GET /spaces/{spaceId}/change-requests/{changeRequestId}/description', {
    params: paramsOf(changeRequest),
  })
  if (!data) return <Loading lines={3} />
  return <DescriptionField changeRequest={changeRequest} stored={data.markdown} onClose={onClose} />
}

interface DescriptionFieldProps {
  changeRequest: ChangeRequest
  /** Markdown of the stored description. */
  stored: string
  onClose: () => void
}

function DescriptionField({ changeRequest, stored, onClose }: DescriptionFieldProps) {
  const draftKey = `description.${changeRequest.id}`
  const [text, setText] = useState(readDraft(draftKey)?.text ?? stored)
  const close = () => {
    writeDraft(draftKey, emptyDraft)
    onClose()
  }
  const [save, isSaving] = useAction(async () => {
    await request('PUT /spaces/{spaceId}/change-requests/{changeRequestId}/description', {
      params: paramsOf(changeRequest),
      body: { markdown: text },
    })
    invalidateChangeRequests(changeRequest)
    close()
  })
  return (
    <Form onSubmit={() => void save()}>
      <TextArea
        label={texts.description}
        hint={texts.descriptionHint}
        rows={8}
        autoFocus
        value={text}
        onInput={(value) => {
          setText(value)
          writeDraft(draftKey, { text: value, mentions: {} })
        }}
      />
      <p class="toolbar">
        <Button type="submit" kind="primary" isBusy={isSaving}>
          {texts.save}
        </Button>
        <Button onClick={close}>{uiTexts.cancel}</Button>
      </p>
    </Form>
  )
}
