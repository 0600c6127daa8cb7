import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { navigate } from '../../router.ts'
import { countText, fillText } from '../../texts.ts'
import { useModal } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { closePalette, initialQuery } from '../../ui/palette-state.ts'
import { describeError } from '../../ui/states.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import type { PaletteEntry } from './entries.ts'
import { Marked } from './marked.tsx'
import { paletteTexts as texts } from './palette-texts.ts'
import { useGroups } from './use-groups.ts'

/** Finds pages, spaces, change requests, people and commands; it can be used with the keyboard only. */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [typed, setTyped] = useState(initialQuery.peek())
  // The selected entry remains selected when others arrive; initially it is the first.
  const [chosenId, setChosenId] = useState<string>()
  const { groups, words, query, error, isSearching } = useGroups(typed)
  const entries = groups.flatMap((group) => group.entries)
  const chosen = entries.find((entry) => entry.id === chosenId) ?? entries[0]
  const optionId = (entry: PaletteEntry) => `${id}-${entry.id}`
  useModal(dialog)
  useEffect(() => {
    if (chosen) document.getElementById(optionId(chosen))?.scrollIntoView({ block: 'nearest' })
  }, [chosen?.id])
  const move = (step: number) => {
    const at = chosen ? entries.indexOf(chosen) : -1
    setChosenId(entries.at((at + step) % entries.length)?.id)
  }
  const keys: Record<string, () => void> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => chosen && choose(chosen),
  }
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label={uiTexts.searchHint}
      onCancel={(event) => {
        event.preventDefault()
        closePalette()
      }}
      onClick={(event) => event.target === dialog.current && closePalette()}
    >
      <div class="palette-head">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          class="palette-input"
          aria-label={texts.placeholder}
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen && optionId(chosen)}
          placeholder={texts.placeholder}
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value)
            setChosenId(undefined)
          }}
          onKeyDown={(event) => {
            const run = event.isComposing ? undefined : keys[event.key]
            if (!run) return
            event.preventDefault()
            run()
          }}
        />
      </div>
      <div id={`${id}-list`} class="palette-list" role="listbox" aria-label={uiTexts.searchHint}>
        {groups.map(({ title, entries: grouped }, index) => (
          <div key={title} role="group" aria-labelledby={`${id}-group-${index}`}>
            <p id={`${id}-group-${index}`} class="palette-group" role="presentation">
              {title}
            </p>
            {grouped.map((entry) => (
              <Option
                key={entry.id}
                id={optionId(entry)}
                entry={entry}
                words={words}
                isChosen={entry === chosen}
                onPoint={() => setChosenId(entry.id)}
              />
            ))}
          </div>
        ))}
      </div>
      <p class="palette-status" role="status">
        {describeState({ query, error, isSearching, count: entries.length })}
      </p>
    </dialog>
  )
}

interface PaletteState {
  query: string
  error: unknown
  isSearching: boolean
  count: number
}

function describeState({ query, error, isSearching, count }: PaletteState): string {
  if (query === '') return texts.hint
  if (error !== undefined) return fillText(texts.failed, { reason: describeError(error) })
  if (isSearching) return texts.searching
  return count === 0 ? fillText(texts.nothing, { query }) : countText(texts.found, count)
}

interface OptionProps {
  id: string
  entry: PaletteEntry
  words: readonly string[]
  isChosen: boolean
  onPoint: () => void
}

function Option({ id, entry, words, isChosen, onPoint }: OptionProps) {
  const { title, detail, excerpt, icon, emoji } = entry
  return (
    <div
      id={id}
      class="palette-option"
      role="option"
      aria-selected={isChosen}
      onPointerMove={() => !isChosen && onPoint()}
      onClick={() => choose(entry)}
    >
      {emoji ? <span class="emoji">{emoji}</span> : <Icon name={icon} />}
      <span class="palette-text">
        <span class="palette-title">
          <Marked text={title} words={words} />
        </span>
        {excerpt && (
          <span class="palette-excerpt">
            <Marked text={excerpt} words={words} />
          </span>
        )}
      </span>
      {detail && <span class="palette-detail">{detail}</span>}
    </div>
  )
}

/** Closes the palette, then opens the screen or runs the command. */
function choose({ path, run }: PaletteEntry): void {
  closePalette()
  if (path !== undefined) navigate(path)
  run?.()
}
