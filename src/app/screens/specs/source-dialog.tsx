import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { OpenAPISpec } from '../../../contract/openapi-spec.ts'
import { request } from '../../api.ts'
import { invalidate } from '../../data/query.ts'
import { navigate } from '../../router.ts'
import { SelectField, TextArea, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useAction } from '../../ui/use-action.ts'
import { specTexts as texts } from './spec-texts.ts'

interface SourceDialogProps {
  organizationId: string
  /** Specification whose source is replaced; without it, one is added. */
  spec?: OpenAPISpec
  onClose: () => void
}

/** Asks for the source of a specification: an address, a file, or a text. */
export function SourceDialog({ organizationId, spec, onClose }: SourceDialogProps) {
  const slug = useSignal(spec?.slug ?? '')
  const kind = useSignal<'url' | 'file' | 'text'>('url')
  const url = useSignal(spec?.sourceURL ?? '')
  const file = useSignal<File | undefined>(undefined)
  const text = useSignal('')
  const [save, isSaving] = useAction(async () => {
    const source =
      kind.value === 'url'
        ? { url: url.value }
        : { text: kind.value === 'text' ? text.value : ((await file.value?.text()) ?? '') }
    await saveSource(organizationId, slug.value, spec !== undefined, source)
    onClose()
    navigate(`/orgs/${organizationId}/openapi/${slug.value}`)
  })
  return (
    <FormDialog
      title={spec ? texts.replace : texts.add}
      isWide={kind.value === 'text'}
      onClose={onClose}
      onSubmit={() => void save()}
      action={spec ? texts.replace : texts.process}
      isBusy={isSaving}
    >
      {!spec && (
        <TextField
          label={texts.name}
          hint={texts.nameHint}
          required
          autoFocus
          maxLength={100}
          value={slug.value}
          onInput={(value) => (slug.value = value)}
        />
      )}
      <SelectField
        label={texts.from}
        value={kind.value}
        options={[
          { value: 'url', title: texts.url },
          { value: 'file', title: texts.file },
          { value: 'text', title: texts.text },
        ]}
        onChange={(value) => (kind.value = value)}
      />
      {kind.value === 'url' && (
        <TextField
          label={texts.url}
          hint={texts.urlHint}
          type="url"
          required
          placeholder="https://api.example.com/openapi.json"
          value={url.value}
          onInput={(value) => (url.value = value)}
        />
      )}
      {kind.value === 'file' && <SpecFileField onChange={(chosen) => (file.value = chosen)} />}
      {kind.value === 'text' && (
        <TextArea
          label={texts.text}
          hint={texts.textHint}
          rows={14}
          required
          spellcheck={false}
          value={text.value}
          onInput={(value) => (text.value = value)}
        />
      )}
    </FormDialog>
  )
}

function SpecFileField({ onChange }: { onChange: (file: File | undefined) => void }) {
  const id = useId()
  return (
    <div class="ui-field">
      <label for={id}>{texts.file}</label>
      <input
        id={id}
        type="file"
        required
        accept=".json,.yaml,.yml"
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.currentTarget.files?.[0])}
      />
      <p id={`${id}-hint`} class="ui-field-hint">
        {texts.fileHint}
      </p>
    </div>
  )
}

/** Adds a specification, or replaces the source of an existing one; the same address is read again. */
export async function saveSource(
  organizationId: string,
  specSlug: string,
  exists: boolean,
  source: { url: string } | { text: string },
): Promise<void> {
  await (exists
    ? request('PUT /orgs/{organizationId}/openapi/{specSlug}', {
        params: { organizationId, specSlug },
        body: { source },
      })
    : request('POST /orgs/{organizationId}/openapi', { params: { organizationId }, body: { slug: specSlug, source } }))
  invalidate(`/orgs/${organizationId}/openapi`)
}
