import { address } from '../../router.ts'
import { TextField } from '../../ui/fields.tsx'
import { FileField } from './file-field.tsx'
import { newSpaceTexts as texts } from './new-space-texts.ts'
import { RepositoryFields } from './repository-fields.tsx'
import type { Source } from './sources.ts'
import { TemplateChoice } from './template-choice.tsx'
import type { useNewSpace } from './use-new-space.ts'

interface SourceFieldsProps {
  organizationId: string
  source: Source
  form: ReturnType<typeof useNewSpace>
}

/** Fields for the source of the first pages of a space. */
export function SourceFields({ organizationId, source, form }: SourceFieldsProps) {
  return (
    <>
      {source === 'template' && (
        <TemplateChoice
          organizationId={organizationId}
          value={form.template.value?.id}
          preferred={address.value.query.get('template') ?? undefined}
          onChange={(template) => (form.template.value = template)}
        />
      )}
      {source === 'git' && (
        <RepositoryFields value={form.repository.value} onChange={(changed) => (form.repository.value = changed)} />
      )}
      {source === 'website' && (
        <TextField
          label={texts.website}
          hint={texts.websiteHint}
          type="url"
          required
          placeholder="https://docs.example.com/"
          value={form.website.value}
          onInput={(value) => (form.website.value = value)}
        />
      )}
      {source === 'files' && <FileField files={form.files.value} onChange={(files) => (form.files.value = files)} />}
    </>
  )
}
