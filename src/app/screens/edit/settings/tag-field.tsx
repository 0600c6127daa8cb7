import { useId, useState } from 'preact/hooks'
import type { RevisionTag } from '../../../../contract/revision.ts'
import { useContentQuery } from '../../../data/content-place.ts'
import { fillText } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { ContentIcon } from '../../../ui/content-icon.tsx'
import type { PagePlace } from '../page-text.ts'
import type { NewTag } from './settings-fields.ts'
import { settingsTexts as texts } from './settings-texts.ts'

/** Reads the tags of the space. */
export const useTags = (place: PagePlace) => useContentQuery('GET /spaces/{spaceId}/content/tags', place).data?.tags

interface TagFieldProps {
  tags: readonly (RevisionTag | NewTag)[]
  /** Slugs of the chosen tags. */
  value: readonly string[]
  onChange: (slugs: readonly string[]) => void
  onCreate: (tag: NewTag) => void
}

/** Chooses tags of the space, or creates one. */
export function TagField({ tags, value, onChange, onCreate }: TagFieldProps) {
  const id = useId()
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const found = tags.filter(({ label, slug }) => `${label} ${slug}`.toLowerCase().includes(wanted))
  const slug = toTagSlug(text)
  const canCreate = slug !== '' && !tags.some((tag) => tag.slug === slug || tag.label.toLowerCase() === wanted)
  const create = () => {
    if (!canCreate) return
    onCreate({ slug, label: text.trim() })
    setText('')
  }
  return (
    <div class="ui-field" role="group" aria-labelledby={id}>
      <span id={id} class="ui-field-label">
        {texts.tags}
      </span>
      <div class="tag-list">
        {found.map((tag) => {
          const isChosen = value.includes(tag.slug)
          const next = isChosen ? value.filter((one) => one !== tag.slug) : [...value, tag.slug]
          return (
            <button
              key={tag.slug}
              type="button"
              class="tag-choice"
              aria-pressed={isChosen}
              onClick={() => onChange(next)}
            >
              {'color' in tag && <ContentIcon emoji={tag.emoji} icon={tag.icon} />}
              {tag.label}
            </button>
          )
        })}
        {tags.length === 0 && <span class="quiet">{texts.noTags}</span>}
      </div>
      <div class="tag-new">
        <input
          class="input"
          aria-label={texts.findTag}
          placeholder={texts.findTag}
          maxLength={100}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            // Otherwise the Enter key would save the settings.
            event.preventDefault()
            create()
          }}
        />
        {canCreate && (
          <Button icon="plus" onClick={create}>
            {fillText(texts.createTag, { label: text.trim() })}
          </Button>
        )}
      </div>
    </div>
  )
}

/** Returns the slug of a new tag from its label. */
const toTagSlug = (label: string): string =>
  label
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
