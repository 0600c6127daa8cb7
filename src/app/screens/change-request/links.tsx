import { useState } from 'preact/hooks'
import type { ChangeRequest } from '../../../contract/change-request.ts'
import { request } from '../../api.ts'
import { fillText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useAction } from '../../ui/use-action.ts'
import { texts } from './overview-texts.ts'
import { invalidateChangeRequests, paramsOf } from './use-change-request.ts'

/** Maximum number of links, which is the same in the API. */
const maxLinks = 10

type LinkInput = { id?: string; ref: { kind: 'url'; url: string }; title?: string | undefined }

/** Links of a change request to other resources, such as issues. */
export function Links({ changeRequest }: { changeRequest: ChangeRequest }) {
  const { links = [], permissions, status } = changeRequest
  const [isAdding, setAdding] = useState(false)
  const canEdit = permissions.edit && status !== 'merged'
  const [save, isSaving] = useAction(async (next: readonly LinkInput[]) => {
    await request('PATCH /spaces/{spaceId}/change-requests/{changeRequestId}', {
      params: paramsOf(changeRequest),
      body: { links: [...next] },
    })
    invalidateChangeRequests(changeRequest)
    setAdding(false)
  })
  if (links.length === 0 && !canEdit) return null
  return (
    <section class="cr-side">
      <h2>{texts.links}</h2>
      {links.length === 0 && <p class="quiet">{texts.noLinks}</p>}
      <ul class="cr-people">
        {links.map(({ id, ref, title = ref.url }) => (
          <li key={id}>
            <Icon name="external-link" />
            <a href={ref.url} target="_blank" rel="noopener noreferrer">
              {title}
            </a>
            {canEdit && (
              <Button
                kind="quiet"
                icon="x"
                label={fillText(texts.removeLink, { title })}
                onClick={() => void save(links.filter((link) => link.id !== id))}
              />
            )}
          </li>
        ))}
      </ul>
      {canEdit && links.length < maxLinks && (
        <Button kind="quiet" icon="plus" onClick={() => setAdding(true)}>
          {texts.addLink}
        </Button>
      )}
      {isAdding && (
        <LinkDialog
          isSaving={isSaving}
          onSave={(link) => void save([...links, link])}
          onClose={() => setAdding(false)}
        />
      )}
    </section>
  )
}

interface LinkDialogProps {
  isSaving: boolean
  onSave: (link: LinkInput) => void
  onClose: () => void
}

function LinkDialog({ isSaving, onSave, onClose }: LinkDialogProps) {
  const [url, setUrl] = useState('')
  const [title, setTitle] = useState('')
  return (
    <FormDialog
      title={texts.addLink}
      onClose={onClose}
      onSubmit={() => onSave({ ref: { kind: 'url', url }, ...(title.trim() !== '' && { title: title.trim() }) })}
      action={texts.save}
      isBusy={isSaving}
    >
      <TextField label={texts.linkUrl} type="url" required autoFocus value={url} onInput={setUrl} />
      <TextField label={texts.linkTitle} maxLength={128} value={title} onInput={setTitle} />
    </FormDialog>
  )
}
