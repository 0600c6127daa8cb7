import { useEffect, useId, useState } from 'preact/hooks'
import { storeContentIcons } from '../data/content-icons.ts'
import { useQuery } from '../data/query.ts'
import { defineTexts } from '../texts.ts'
import { Button } from './button.tsx'
import { ContentIcon } from './content-icon.tsx'
import { findEmoji } from './emoji-names.ts'

const texts = defineTexts('iconField', {
  search: 'Find an icon or emoji',
  searchHint: 'For example rocket, or paste an emoji',
  none: 'No icon',
  choose: 'Choose',
  close: 'Done',
  emoji: 'Emoji',
  icons: 'Icons',
  nothing: 'No icon has this name.',
})

/** An emoji, or the name of an icon; both are empty if there is none. */
export interface IconChoice {
  emoji: string
  icon: string
}

interface IconFieldProps {
  label: string
  value: IconChoice
  onChange: (value: IconChoice) => void
}

const maxEmoji = 32
const maxIcons = 60
/** Delay between the last key and a request, in milliseconds. */
const delay = 150

/** Chooses an icon by its name or an emoji, as published sites show them. */
export function IconField({ label, value, onChange }: IconFieldProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const isEmpty = value.emoji === '' && value.icon === ''
  return (
    <div class="ui-field" role="group" aria-labelledby={id}>
      <span id={id} class="ui-field-label">
        {label}
      </span>
      <div class="icon-field">
        <span class="icon-field-shown">{isEmpty ? '–' : <ContentIcon {...value} />}</span>
        {value.icon !== '' && value.emoji === '' && <span>{value.icon}</span>}
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? texts.close : texts.choose}
        </Button>
        {!isEmpty && (
          <Button kind="quiet" icon="x" label={texts.none} onClick={() => onChange({ emoji: '', icon: '' })} />
        )}
      </div>
      {isOpen && <IconChoices value={value} onChange={onChange} />}
    </div>
  )
}

function IconChoices({ value, onChange }: Omit<IconFieldProps, 'label'>) {
  const [text, setText] = useState('')
  const query = useDelayed(text.trim().slice(0, 64))
  const { data } = useQuery('GET /icons', { query: { limit: maxIcons, ...(query !== '' && { query }) } })
  const icons = data?.icons ?? []
  useEffect(() => storeContentIcons(icons), [data])
  const emoji = findEmoji(text, maxEmoji)
  return (
    <div class="icon-choices">
      <input
        type="search"
        class="input"
        aria-label={texts.search}
        placeholder={texts.searchHint}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          // Otherwise the Enter key would submit the form around the field.
          if (event.key === 'Enter') event.preventDefault()
        }}
      />
      {emoji.length > 0 && (
        <div class="icon-choice-grid" role="group" aria-label={texts.emoji}>
          {emoji.map((character) => (
            <button
              key={character}
              type="button"
              aria-pressed={value.emoji === character}
              onClick={() => onChange({ emoji: character, icon: '' })}
            >
              {character}
            </button>
          ))}
        </div>
      )}
      {icons.length > 0 && (
        <div class="icon-choice-grid" role="group" aria-label={texts.icons}>
          {icons.map(({ name }) => (
            <button
              key={name}
              type="button"
              title={name}
              aria-label={name}
              aria-pressed={value.emoji === '' && value.icon === name}
              onClick={() => onChange({ emoji: '', icon: name })}
            >
              <ContentIcon icon={name} />
            </button>
          ))}
        </div>
      )}
      {data && icons.length + emoji.length === 0 && <p class="quiet">{texts.nothing}</p>}
    </div>
  )
}

/** Returns a text after it has not changed for some time. */
function useDelayed(text: string): string {
  const [delayed, setDelayed] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(text), delay)
    return () => clearTimeout(timer)
  }, [text])
  return delayed
}
