import { useState } from 'preact/hooks'
import { TextField } from '../../ui/fields.tsx'
import { Loading } from '../../ui/states.tsx'

/** Maximum number of visible entries; others are found by searching. */
const maxEntries = 8

interface Entry {
  id: string
  title: string
  detail?: string
}

interface ChoiceListProps {
  label: string
  /** Undefined while they are loaded. */
  entries: readonly Entry[] | undefined
  chosen: string | undefined
  /** Shown if nothing is found. */
  nothing: string
  onChoose: (id: string) => void
}

/** Selects one of many entries by a part of their names. */
export function ChoiceList({ label, entries, chosen, nothing, onChoose }: ChoiceListProps) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const found = entries?.filter(
    ({ id, title }) => (wanted === '' ? true : title.toLowerCase().includes(wanted)) || id === chosen,
  )
  const shown = found?.toSorted((a, b) => Number(b.id === chosen) - Number(a.id === chosen)).slice(0, maxEntries)
  return (
    <>
      <TextField label={label} type="search" value={text} onInput={setText} />
      {!shown && <Loading lines={3} />}
      <ul class="rows edit-link-rows">
        {shown?.map(({ id, title, detail }) => (
          <li key={id}>
            <button type="button" class="row" aria-pressed={id === chosen} onClick={() => onChoose(id)}>
              <span class="row-title">{title}</span>
              <span class="row-facts">{detail ?? ''}</span>
            </button>
          </li>
        ))}
      </ul>
      {shown?.length === 0 && <p class="quiet">{nothing}</p>}
    </>
  )
}
