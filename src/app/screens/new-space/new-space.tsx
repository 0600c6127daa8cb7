import { useSignal } from '@preact/signals'
import { address, navigate, setQuery } from '../../router.ts'
import { useOrganizations } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { OrganizationFrame } from '../organization/organization-frame.tsx'
import { ApiError } from '../../api.ts'
import { CollectionField } from './collection-field.tsx'
import { EmojiField } from './emoji-field.tsx'
import { FileField } from './file-field.tsx'
import { newSpaceTexts as texts } from './new-space-texts.ts'
import { RepositoryFields, emptyRepository } from './repository-fields.tsx'
import { SourceChoice } from './source-choice.tsx'
import { type Source, sources } from './sources.ts'
import {
  type SpaceFields,
  createBlankSpace,
  createSpaceFromFiles,
  createSpaceFromRepository,
  createSpaceFromTemplate,
  createSpaceFromWebsite,
  maxTitleLength,
  suggestTitle,
} from './start-space.ts'
import { TemplateChoice } from './template-choice.tsx'

/** Creates a space: its name and place, and where its first pages come from. */
export default function NewSpaceScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const organizationId = params['organizationId'] ?? ''
  const organizations = useOrganizations()
  const organization = organizations?.find(({ id }) => id === organizationId)
  return (
    <OrganizationFrame organizationId={organizationId} crumbs={[{ title: texts.title }]}>
      <h1 class="screen-title">{texts.title}</h1>
      {!organizations && <Loading />}
      {organizations && !organization && <ErrorState error={new ApiError(404, '')} />}
      {organization && <NewSpaceForm organizationId={organizationId} />}
    </OrganizationFrame>
  )
}

function NewSpaceForm({ organizationId }: { organizationId: string }) {
  const { query } = address.value
  const source = sources.find((one) => one === query.get('from')) ?? 'template'
  const form = useNewSpace(organizationId, source, query.get('collection') ?? '')
  const [create, isCreating] = useAction(form.create)
  return (
    <form
      class="new-space"
      onSubmit={(event) => {
        event.preventDefault()
        void create()
      }}
    >
      <SourceChoice source={source} onChange={(chosen) => setQuery('from', chosen)} />
      {source === 'template' && (
        <TemplateChoice
          organizationId={organizationId}
          value={form.template.value?.id}
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
      <div class="new-space-name">
        <TextField
          label={texts.name}
          maxLength={maxTitleLength}
          placeholder={form.suggestion || texts.namePlaceholder}
          value={form.title.value}
          onInput={(value) => (form.title.value = value)}
        />
        <EmojiField value={form.emoji.value} onChange={(emoji) => (form.emoji.value = emoji)} />
        <CollectionField
          organizationId={organizationId}
          value={form.parent.value}
          onChange={(parent) => (form.parent.value = parent)}
        />
      </div>
      <div class="toolbar">
        <Button type="submit" kind="primary" isBusy={isCreating} disabled={!form.isComplete}>
          {source === 'git' || source === 'website' || source === 'files' ? texts.createAndImport : texts.create}
        </Button>
      </div>
    </form>
  )
}

/** Holds what was entered; it remains when another source is chosen. */
function useNewSpace(organizationId: string, source: Source, collection: string) {
  const title = useSignal('')
  const emoji = useSignal('')
  const parent = useSignal(collection)
  const template = useSignal<{ id: string; title: string } | undefined>(undefined)
  const repository = useSignal(emptyRepository)
  const website = useSignal('')
  const files = useSignal<readonly File[]>([])
  const suggestions: Record<Source, string> = {
    template: template.value?.title ?? '',
    git: suggestTitle(repository.value.url),
    website: suggestTitle(website.value),
    files: (files.value[0]?.name ?? '').replace(/\.\w+$/, '').slice(0, maxTitleLength),
    blank: '',
  }
  const suggestion = suggestions[source]
  const isComplete = {
    template: template.value !== undefined,
    git: true,
    website: true,
    files: files.value.length > 0,
    blank: true,
  }[source]

  async function create(): Promise<void> {
    const fields: SpaceFields = {
      organizationId,
      title: title.value.trim() || suggestion,
      emoji: emoji.value,
      parent: parent.value,
    }
    const start: Record<Source, () => Promise<string>> = {
      template: async () => toSpacePath(await createSpaceFromTemplate(fields, template.value?.id ?? '')),
      git: () => createSpaceFromRepository(fields, repository.value),
      website: () => createSpaceFromWebsite(fields, website.value),
      files: () => createSpaceFromFiles(fields, files.value),
      blank: async () => toSpacePath(await createBlankSpace(fields)),
    }
    navigate(await start[source]())
  }
  return { title, emoji, parent, template, repository, website, files, suggestion, isComplete, create }
}

const toSpacePath = ({ id }: { id: string }): string => `/spaces/${id}`
