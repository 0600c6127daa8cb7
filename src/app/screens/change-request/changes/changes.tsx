import { useMemo } from 'preact/hooks'
import type { ChangeRequest } from '../../../../contract/change-request.ts'
import type { Space } from '../../../../contract/space.ts'
import { address, setQuery } from '../../../router.ts'
import { useShortcuts } from '../../../shortcuts.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState, ErrorState, Loading } from '../../../ui/states.tsx'
import { ChangeRequestFrame } from '../change-request-frame.tsx'
import { useOwnReview } from '../use-change-request.ts'
import { ChangesList } from './changes-list.tsx'
import type { ChangeEntry } from './entries.ts'
import { EntryView } from './entry-view.tsx'
import { readReviewed, setReviewed } from './reviewed.ts'
import { texts } from './texts.ts'
import { useChanges } from './use-changes.ts'
import { toggleView } from './view-mode.ts'

/** Changes of a change request: a list of pages, and the selected page with its changes marked. */
export default function ChangesScreen({ params }: { params: Readonly<Record<string, string>> }) {
  return (
    <ChangeRequestFrame
      params={params}
      isWide
      sidebar={(changeRequest) => <Sidebar changeRequest={changeRequest} />}
      sidebarLabel={texts.list}
    >
      {(changeRequest, space) => <Changes changeRequest={changeRequest} space={space} />}
    </ChangeRequestFrame>
  )
}

/** Reads the entries that the address selects: all, or those since the last review of the user. */
function useShownChanges(changeRequest: ChangeRequest) {
  const review = useOwnReview(changeRequest)
  const { query } = address.value
  const isSince = query.get('since') === 'review' && review !== undefined
  const comparedWith = isSince ? review.revision : undefined
  const changes = useChanges(changeRequest, comparedWith)
  return { ...changes, review, isSince, comparedWith, at: findShown(changes.entries) }
}

/** Returns the index of the entry in the address; without one, the first is shown. */
function findShown(entries: readonly ChangeEntry[] | undefined): number {
  const key = address.value.query.get('change')
  return Math.max(0, entries?.findIndex((entry) => entry.key === key) ?? 0)
}

function select(entries: readonly ChangeEntry[] | undefined, index: number): void {
  const entry = entries?.[index]
  if (!entry) return
  setQuery('change', entry.key)
  window.scrollTo({ top: 0 })
}

function Sidebar({ changeRequest }: { changeRequest: ChangeRequest }) {
  const { entries, isPartial, at } = useShownChanges(changeRequest)
  const reviewed = readReviewed(changeRequest)
  if (!entries) return <Loading />
  return (
    <ChangesList
      entries={entries}
      at={at}
      isPartial={isPartial}
      reviewed={reviewed}
      onSelect={(index) => select(entries, index)}
    />
  )
}

function Changes({ changeRequest, space }: { changeRequest: ChangeRequest; space: Space }) {
  const { entries, error, reload, review, isSince, comparedWith, at } = useShownChanges(changeRequest)
  const reviewed = readReviewed(changeRequest)
  const entry = entries?.[at]
  const toggleReviewed = () => entry && setReviewed(changeRequest, entry.key, !reviewed.has(entry.key))
  useShortcuts(
    useMemo(
      () => [
        { keys: 'j', title: texts.next, run: () => select(entries, findShown(entries) + 1) },
        { keys: 'k', title: texts.previous, run: () => select(entries, findShown(entries) - 1) },
        { keys: 'x', title: texts.toggleReviewed, run: () => toggleReviewed() },
        { keys: 'v', title: texts.toggleView, run: toggleView },
      ],
      [entries, entry, reviewed],
    ),
  )
  if (!entries) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />
  return (
    <>
      {review && (
        <label class="cr-since">
          <input
            type="checkbox"
            checked={isSince}
            onChange={(event) => setQuery('since', event.currentTarget.checked ? 'review' : undefined)}
          />
          {texts.since}
        </label>
      )}
      {entry ? (
        <EntryView
          key={entry.key}
          changeRequest={changeRequest}
          space={space}
          entry={entry}
          comparedWith={comparedWith}
          isReviewed={reviewed.has(entry.key)}
          onReviewed={toggleReviewed}
          onPrevious={at > 0 ? () => select(entries, at - 1) : undefined}
          onNext={at < entries.length - 1 ? () => select(entries, at + 1) : undefined}
        />
      ) : isSince ? (
        <EmptyState
          icon="circle-check"
          title={texts.emptySince}
          actions={<Button onClick={() => setQuery('since', undefined)}>{texts.showAll}</Button>}
        />
      ) : (
        <EmptyState icon="edit" title={texts.emptyTitle}>
          {texts.emptyText}
        </EmptyState>
      )}
    </>
  )
}
