import { useEffect, useRef, useState } from 'preact/hooks'
import type { SearchPage } from '../../../contract/search.ts'
import { appHref } from '../../base-path.ts'
import { useList } from '../../data/list.ts'
import { address, setQuery } from '../../router.ts'
import { countText, defineTexts, fillText } from '../../texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { LoadMore } from '../../ui/item-list.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { toWords } from '../palette/entries.ts'
import { Marked } from '../palette/marked.tsx'
import { SpaceFrame } from '../space/space-frame.tsx'

const texts = defineTexts('search', {
  title: 'Search',
  label: 'Search in {space}',
  hint: 'Words, or a phrase in double quotes',
  start: 'Find pages by their titles and texts',
  nothing: 'Nothing found for “{query}”',
  nothingHint: 'Try other words, or fewer of them.',
  found: { one: '{count} page', other: '{count} pages' },
})

/** Delay between the last key and a request, in milliseconds. */
const delay = 200

/** Finds pages of a space by their texts. The query is part of the address. */
export default function SearchScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const spaceId = params['spaceId'] ?? ''
  const list = useRef<HTMLDivElement>(null)
  const query = (address.value.query.get('q') ?? '').trim()
  return (
    <SpaceFrame
      spaceId={spaceId}
      crumbs={[{ title: texts.title }]}
      title={query === '' ? texts.title : `${query} · ${texts.title}`}
    >
      {(space) => (
        <div ref={list} onKeyDown={(event) => moveFocus(event, list.current)}>
          <h1 class="screen-title">{texts.title}</h1>
          <SearchField label={fillText(texts.label, { space: space.title })} query={query} />
          {query === '' ? (
            <EmptyState icon="search" title={texts.start}>
              {texts.hint}
            </EmptyState>
          ) : (
            <Results spaceId={spaceId} query={query.slice(0, 512)} />
          )}
        </div>
      )}
    </SpaceFrame>
  )
}

function SearchField({ label, query }: { label: string; query: string }) {
  const [typed, setTyped] = useState(query)
  useEffect(() => {
    const timer = setTimeout(() => typed.trim() !== query && setQuery('q', typed.trim() || undefined), delay)
    return () => clearTimeout(timer)
  }, [typed])
  // The palette and the browser's back and forward buttons change the query, too.
  useEffect(() => setTyped((old) => (old.trim() === query ? old : query)), [query])
  return (
    <div class="search-field" role="search">
      <Icon name="search" />
      <input
        type="search"
        class="input"
        aria-label={label}
        placeholder={label}
        maxLength={512}
        value={typed}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the screen is opened to search
        autofocus
        ref={(input) => {
          if (input && document.activeElement === document.body) input.focus()
        }}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
    </div>
  )
}

function Results({ spaceId, query }: { spaceId: string; query: string }) {
  const { items, error, reload, ...more } = useList('GET /spaces/{spaceId}/search', {
    params: { spaceId },
    query: { query, limit: 20 },
  })
  const words = toWords(query.replaceAll('"', ' '))
  if (!items) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />
  if (items.length === 0)
    return (
      <EmptyState icon="search" title={fillText(texts.nothing, { query })}>
        {texts.nothingHint}
      </EmptyState>
    )
  return (
    <>
      <p class="sr-only" role="status">
        {countText(texts.found, items.length)}
      </p>
      <ol class="search-results">
        {items.map((page) => (
          <Result key={page.id} spaceId={spaceId} page={page} words={words} />
        ))}
      </ol>
      <LoadMore list={more} />
    </>
  )
}

/** Maximum number of sections of a page that are shown. */
const maxSections = 3

function Result({ spaceId, page, words }: { spaceId: string; page: SearchPage; words: readonly string[] }) {
  const { id, title, description, ancestors, sections } = page
  const href = appHref(`/spaces/${spaceId}/pages/${id}`)
  return (
    <li class="search-result">
      {ancestors.length > 0 && <p class="search-path">{ancestors.map((one) => one.title).join(' / ')}</p>}
      <a class="search-title" href={href} data-result>
        <Marked text={title} words={words} />
      </a>
      {sections.length === 0 && description !== '' && (
        <p class="search-text">
          <Marked text={description} words={words} />
        </p>
      )}
      {sections.slice(0, maxSections).map((section) => (
        <p key={section.id} class="search-text">
          {section.id !== id && section.title !== title && (
            <a href={`${href}#${encodeURIComponent(section.id)}`} data-result>
              <Marked text={section.title} words={words} />
            </a>
          )}
          <span>
            <Marked text={section.body} words={words} />
          </span>
        </p>
      ))}
    </li>
  )
}

/** Moves the focus between the field and the results with the arrow keys. */
function moveFocus(event: KeyboardEvent, screen: HTMLElement | null): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || !screen || event.isComposing) return
  const stops = [...screen.querySelectorAll<HTMLElement>('input[type="search"], [data-result]')]
  const at = stops.indexOf(document.activeElement as HTMLElement)
  const next = stops[at + step]
  if (at < 0 || !next) return
  event.preventDefault()
  next.focus()
}
