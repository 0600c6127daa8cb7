import { useEffect, useState } from 'preact/hooks'
import type { TextQuery } from '../../../content/document/find-text.ts'
import { address, navigate, setQuery } from '../../router.ts'
import { countText, fillText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, TextField } from '../../ui/fields.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { canEditLive } from '../space/can-edit-live.ts'
import { ContentFrame } from '../space/content-frame.tsx'
import { type ContentTarget, startChangeRequest } from '../space/send-changes.ts'
import { replaceInPage } from './replace-in-page.ts'
import { ReplaceResults } from './replace-results.tsx'
import { replaceTexts as texts } from './replace-texts.ts'
import { type TextSearch, useTextMatches } from './use-text-matches.ts'

/** Finds a text in all pages of a space or of a change request, and replaces it. */
export default function ReplaceScreen({ params }: { params: Readonly<Record<string, string>> }) {
  return (
    <ContentFrame params={params} title={texts.title}>
      {(target, canEdit) => <FindAndReplace target={target} canEdit={canEdit} />}
    </ContentFrame>
  )
}

/** Delay between the last key and the search, in milliseconds. */
const delay = 300
const maxLength = 200

function FindAndReplace({ target, canEdit }: { target: ContentTarget; canEdit: boolean }) {
  const { space, changeRequest } = target
  const query: TextQuery = {
    text: (address.value.query.get('q') ?? '').slice(0, maxLength),
    isCaseSensitive: address.value.query.has('case'),
    isWholeWord: address.value.query.has('words'),
  }
  const [replacement, setReplacement] = useState('')
  const place = { spaceId: space.id, changeRequestId: changeRequest }
  const search = useTextMatches(place, query)
  const isLive = changeRequest === undefined
  const canReplace = canEdit && (!isLive || canEditLive(space))
  const path = isLive ? `/spaces/${space.id}` : `/spaces/${space.id}/change-requests/${changeRequest}`
  const [start, isStarting] = useAction(async () => {
    const { number } = await startChangeRequest(space)
    navigate(`/spaces/${space.id}/change-requests/${number}/replace${location.search}`)
  })
  return (
    <>
      <div class="replace-form">
        <FindField query={query} />
        {canReplace && <TextField label={texts.replaceBy} value={replacement} onInput={setReplacement} />}
        <div class="toolbar">
          <Checkbox
            label={texts.matchCase}
            checked={query.isCaseSensitive}
            onChange={(isOn) => setQuery('case', isOn ? '1' : undefined)}
          />
          <Checkbox
            label={texts.wholeWords}
            checked={query.isWholeWord}
            onChange={(isOn) => setQuery('words', isOn ? '1' : undefined)}
          />
          {canEdit && !canReplace && (
            <Button icon="git-pull-request" isBusy={isStarting} onClick={() => void start()}>
              {texts.inNewChangeRequest}
            </Button>
          )}
        </div>
        {canReplace && isLive && <p class="quiet">{texts.live}</p>}
        {!canEdit && <p class="quiet">{texts.readOnly}</p>}
      </div>
      {query.text === '' ? (
        <EmptyState icon="replace" title={texts.start}>
          {texts.startHint}
        </EmptyState>
      ) : (
        <>
          <SearchStatus search={search} text={query.text} />
          <ReplaceResults
            key={JSON.stringify(query)}
            search={search}
            path={path}
            replace={
              canReplace ? (page, isChosen) => replaceInPage(place, page, query, replacement, isChosen) : undefined
            }
          />
        </>
      )}
    </>
  )
}

function FindField({ query: { text } }: { query: TextQuery }) {
  const [typed, setTyped] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => typed !== text && setQuery('q', typed || undefined), delay)
    return () => clearTimeout(timer)
  }, [typed])
  // The browser's back and forward buttons change the text, too.
  useEffect(() => setTyped(text), [text])
  return <TextField label={texts.find} type="search" maxLength={maxLength} autoFocus value={typed} onInput={setTyped} />
}

/** Shows the number of results so far, and actions for the search. */
function SearchStatus({ search, text }: { search: TextSearch; text: string }) {
  const { pages, searched, isRunning, next, error, proceed, stop } = search
  if (error) return <ErrorState error={error} onRetry={proceed} />
  const shown = pages.filter(({ count }) => count > 0)
  const count = shown.reduce((sum, page) => sum + page.count, 0)
  if (!isRunning && next === undefined && count === 0)
    return <EmptyState icon="search" title={fillText(texts.nothing, { text })} />
  return (
    <p class="toolbar">
      <span role="status">
        {isRunning
          ? fillText(texts.searching, { pages: countText(texts.pages, searched) })
          : fillText(countText(texts.found, count), { pages: countText(texts.pages, shown.length) })}
      </span>
      {isRunning && (
        <Button kind="quiet" onClick={stop}>
          {texts.stop}
        </Button>
      )}
      {!isRunning && next !== undefined && <Button onClick={proceed}>{texts.continue}</Button>}
    </p>
  )
}
