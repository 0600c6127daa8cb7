import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import { usePages } from '../space/use-pages.ts'
import { toolTexts as texts } from './edit-texts.ts'
import type { PagePlace } from './page-text.ts'
import { listLinkTargets, toRelativePath } from './relative-link.ts'

/** Maximum number of shown pages. */
const maxPages = 8

interface LinkDialogProps {
  place: PagePlace
  /** Number of the change request; undefined for the live content. */
  number: string | undefined
  /** Address of the link that is changed. */
  initial?: string | undefined
  /** Called with the destination, and the title and ID of the page if it is one. */
  onInsert: (destination: string, title: string, pageId?: string) => void
  onClose: () => void
}

/** Finds a page by its title, or takes an address. */
export function LinkDialog({ place, number, initial = '', onInsert, onClose }: LinkDialogProps) {
  const [query, setQuery] = useState(initial)
  const { data } = usePages(place.spaceId, { changeRequest: number })
  const targets = listLinkTargets(data?.pages ?? [])
  const from = targets.find(({ id }) => id === place.pageId)?.file ?? ''
  const isAddress = /^(?:https?:\/\/|mailto:|#|\/)/.test(query)
  const wanted = query.toLowerCase()
  const found = isAddress ? [] : targets.filter(({ title }) => title.toLowerCase().includes(wanted)).slice(0, maxPages)
  const insert = () => {
    const [first] = found
    if (isAddress) onInsert(query.trim(), '')
    else if (first) onInsert(toRelativePath(from, first.file), first.title, first.id)
  }
  return (
    <Dialog
      title={texts.linkTitle}
      onClose={onClose}
      onSubmit={insert}
      actions={
        <>
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          <Button type="submit" kind="primary" disabled={!isAddress && found.length === 0}>
            {texts.linkInsert}
          </Button>
        </>
      }
    >
      <TextField label={texts.linkSearch} hint={texts.linkHint} value={query} onInput={setQuery} autoFocus />
      <ul class="rows edit-link-rows">
        {found.map(({ id, title, file }) => (
          <li key={id}>
            <button type="button" class="row" onClick={() => onInsert(toRelativePath(from, file), title, id)}>
              <span class="row-title">{title}</span>
              <span class="row-facts">{file}</span>
            </button>
          </li>
        ))}
      </ul>
      {!isAddress && data && found.length === 0 && <p class="quiet">{texts.linkNone}</p>}
    </Dialog>
  )
}
