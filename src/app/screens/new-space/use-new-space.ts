import { useSignal } from '@preact/signals'
import { emptyRepository } from './repository-fields.tsx'
import type { Source } from './sources.ts'
import {
  type SpaceFields,
  type StartedSpace,
  createBlankSpace,
  createSpaceFromFiles,
  createSpaceFromRepository,
  createSpaceFromTemplate,
  createSpaceFromWebsite,
  maxTitleLength,
  suggestTitle,
} from './start-space.ts'

/** Stores the input, which remains when another source is chosen. */
export function useNewSpace(organizationId: string, source: Source, collection: string) {
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

  async function create(): Promise<StartedSpace> {
    const fields: SpaceFields = {
      organizationId,
      title: title.value.trim() || suggestion,
      emoji: emoji.value,
      parent: parent.value,
    }
    const start: Record<Source, () => Promise<StartedSpace>> = {
      template: () => createSpaceFromTemplate(fields, template.value?.id ?? ''),
      git: () => createSpaceFromRepository(fields, repository.value),
      website: () => createSpaceFromWebsite(fields, website.value),
      files: () => createSpaceFromFiles(fields, files.value),
      blank: () => createBlankSpace(fields),
    }
    return start[source]()
  }
  return { title, emoji, parent, template, repository, website, files, suggestion, isComplete, create }
}
