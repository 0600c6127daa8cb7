import { useState } from 'preact/hooks'
import { useContentQuery } from '../../data/content-place.ts'
import { fillText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Loading } from '../../ui/states.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import { usePages } from '../space/use-pages.ts'
import { toolTexts as texts } from './edit-texts.ts'
import { linkTexts } from './link-texts.ts'
import type { PagePlace } from './page-text.ts'
import { type LinkTarget, listLinkTargets, toRelativePath } from './relative-link.ts'

/** Maximum number of shown pages. */
const maxPages = 8
/** Maximum number of shown headings. */
const maxHeadings = 50

interface LinkDialogProps {
  place: PagePlace
  /** Number of the change request; undefined for the live content. */
  number: string | undefined
  /** Address of the edited link. */
  initial?: string | undefined
  /**
   * Called with the destination, which ends with `#` and the ID of a heading if one was chosen, and the title of the page or heading and the
   * ID of the page if it is another one.
   */
  onInsert: (destination: string, title: string, pageId?: string) => void
  onClose: () => void
}

const isAddress = (text: string): boolean => /^(?:https?:\/\/|mailto:|#|\/)/i.test(text)

/** Returns the address for a text such as `example.com` or an email address; undefined if the text is not an address. */
function toAddress(text: string): string | undefined {
  if (isAddress(text)) return text
  if (/^[^\s@:]+@[^\s@:]+\.\p{L}{2,}$/u.test(text)) return `mailto:${text}`
  const isHost = /^(?:[\p{L}\d-]+\.)+\p{L}{2,}(?:[:/?#]\S*)?$/u.test(text) && !text.endsWith('.md')
  return isHost ? `https://${text}` : undefined
}

/** Returns the pages whose title or file contains a text. */
function findPages(targets: readonly LinkTarget[], text: string): LinkTarget[] {
  const wanted = text.toLowerCase()
  const contains = ({ title, file }: LinkTarget) => `${title}\n${file}`.toLowerCase().includes(wanted)
  return targets.filter(contains).slice(0, maxPages)
}

/** Finds a page by its title and one of its headings, or accepts an address. */
export function LinkDialog({ place, number, initial = '', onInsert, onClose }: LinkDialogProps) {
  const [query, setQuery] = useState(initial)
  /** The page of which a heading is chosen. */
  const [opened, setOpened] = useState<LinkTarget>()
  const { data } = usePages(place.spaceId, { changeRequest: number })
  const targets = listLinkTargets(data?.pages ?? [])
  const from = targets.find(({ id }) => id === place.pageId)?.file ?? ''
  const insertPage = ({ id, title, file }: LinkTarget) => onInsert(toRelativePath(from, file), title, id)
  if (opened)
    return (
      <HeadingDialog
        place={place}
        page={opened}
        onPage={() => insertPage(opened)}
        onHeading={(heading, title) =>
          opened.id === place.pageId
            ? onInsert(`#${heading}`, title)
            : onInsert(`${toRelativePath(from, opened.file)}#${heading}`, title, opened.id)
        }
        onBack={() => setOpened(undefined)}
        onClose={onClose}
      />
    )
  const text = query.trim()
  const found = isAddress(text) ? [] : findPages(targets, text)
  const address = found.length > 0 ? undefined : toAddress(text)
  const insert = () => {
    const [first] = found
    if (first) insertPage(first)
    else if (address !== undefined) onInsert(address, '')
  }
  return (
    <Dialog
      title={texts.linkTitle}
      onClose={onClose}
      onSubmit={insert}
      actions={
        <>
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          <Button type="submit" kind="primary" disabled={address === undefined && found.length === 0}>
            {texts.linkInsert}
          </Button>
        </>
      }
    >
      <TextField label={texts.linkSearch} hint={texts.linkHint} value={query} onInput={setQuery} autoFocus />
      <ul class="rows edit-link-rows">
        {found.map((page) => (
          <li key={page.id}>
            <button type="button" class="row" onClick={() => insertPage(page)}>
              <span class="row-title">{page.title}</span>
              <span class="row-facts">{page.file}</span>
            </button>
            <Button
              kind="quiet"
              icon="chevron-right"
              label={fillText(linkTexts.headings, { page: page.title })}
              onClick={() => setOpened(page)}
            />
          </li>
        ))}
      </ul>
      {address === undefined && data && found.length === 0 && <p class="quiet">{texts.linkNone}</p>}
    </Dialog>
  )
}

interface HeadingDialogProps {
  place: PagePlace
  page: LinkTarget
  onPage: () => void
  onHeading: (id: string, title: string) => void
  onBack: () => void
  onClose: () => void
}

/** Chooses a heading of a page, or the whole page. */
function HeadingDialog({ place, page, onPage, onHeading, onBack, onClose }: HeadingDialogProps) {
  const [query, setQuery] = useState('')
  const { data, error } = useContentQuery('GET /spaces/{spaceId}/content/page/{pageId}/html', place, {
    params: { pageId: page.id },
  })
  const wanted = query.trim().toLowerCase()
  const found = data?.outline.filter(({ title }) => title.toLowerCase().includes(wanted)).slice(0, maxHeadings)
  const [first] = found ?? []
  return (
    <Dialog
      title={texts.linkTitle}
      onClose={onClose}
      onSubmit={() => first && onHeading(first.id, first.title)}
      actions={
        <>
          <Button onClick={onBack}>{linkTexts.otherPage}</Button>
          <Button onClick={onPage}>{linkTexts.wholePage}</Button>
          <Button type="submit" kind="primary" disabled={!first}>
            {texts.linkInsert}
          </Button>
        </>
      }
    >
      <TextField
        label={fillText(linkTexts.heading, { page: page.title })}
        type="search"
        value={query}
        onInput={setQuery}
        autoFocus
      />
      {!found && !error && <Loading lines={3} />}
      <ul class="rows edit-link-rows">
        {found?.map(({ id, title, level }) => (
          <li key={id}>
            <button type="button" class="row" onClick={() => onHeading(id, title)}>
              <span class="row-title" style={{ paddingInlineStart: `${level - 1}rem` }}>
                {title}
              </span>
              <span class="row-facts">#{id}</span>
            </button>
          </li>
        ))}
      </ul>
      {(error || found?.length === 0) && <p class="quiet">{linkTexts.noHeading}</p>}
    </Dialog>
  )
}
