import { useState } from 'preact/hooks'
import { countText, fillText, formatNumber } from '../../../texts.ts'
import { joinClasses } from '../../../ui/classes.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { IconName } from '../../../ui/icons.ts'
import { WindowedList } from '../../../ui/windowed-list.tsx'
import { rankTitle, toWords } from '../../palette/entries.ts'
import type { ChangeEntry, EntryKind } from './entries.ts'
import { texts } from './texts.ts'

const rowHeight = 34
/** Lists of this length have a field that finds changes by their title. */
const minFiltered = 20

interface ChangesListProps {
  entries: readonly ChangeEntry[]
  /** Index of the selected entry. */
  at: number
  /** Whether more entries are being read. */
  isPartial: boolean
  reviewed: ReadonlySet<string>
  onSelect: (index: number) => void
}

/** Lists the changes; the selected entry is marked. */
export function ChangesList({ entries, at, isPartial, reviewed, onSelect }: ChangesListProps) {
  const [filter, setFilter] = useState('')
  const done = entries.filter(({ key }) => reviewed.has(key)).length
  const words = toWords(filter)
  const rows = entries
    .map((entry, index) => ({ entry, index }))
    .filter(({ entry }) => words.length === 0 || rankTitle(titleOf(entry), words) > 0)
  return (
    <>
      <p class="cr-list-head">
        {done > 0
          ? fillText(texts.reviewedCount, { done: formatNumber(done), total: formatNumber(entries.length) })
          : countText(texts.count, entries.length)}
      </p>
      {entries.length >= minFiltered && (
        <input
          type="search"
          class="input cr-list-filter"
          aria-label={texts.find}
          placeholder={texts.find}
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      {rows.length === 0 && <p class="cr-list-head">{texts.notFound}</p>}
      <WindowedList
        items={rows}
        rowHeight={rowHeight}
        keyOf={({ entry }) => entry.key}
        label={texts.list}
        shownIndex={rows.findIndex(({ index }) => index === at)}
        renderRow={({ entry, index }) => (
          <EntryButton
            entry={entry}
            isCurrent={index === at}
            isReviewed={reviewed.has(entry.key)}
            onSelect={() => onSelect(index)}
          />
        )}
      />
      {isPartial && <p class="quiet">{texts.loadingMore}</p>}
    </>
  )
}

const icons: Record<EntryKind, IconName> = {
  added: 'plus',
  edited: 'edit',
  deleted: 'trash',
  moved: 'arrow-right',
}

interface EntryButtonProps {
  entry: ChangeEntry
  isCurrent: boolean
  isReviewed: boolean
  onSelect: () => void
}

function EntryButton({ entry, isCurrent, isReviewed, onSelect }: EntryButtonProps) {
  const { kind, added, removed } = entry
  const title = titleOf(entry)
  return (
    <button
      type="button"
      class={joinClasses('sidebar-link', 'cr-entry', isReviewed && 'is-reviewed')}
      aria-current={isCurrent ? 'true' : undefined}
      title={`${describeKind(entry)}: ${title}`}
      onClick={onSelect}
    >
      <span class={`cr-kind cr-kind-${kind}`}>
        <Icon name={icons[kind]} size={14} />
        <span class="sr-only">{describeKind(entry)}</span>
      </span>
      <span class="cr-entry-title">{title}</span>
      {isReviewed && (
        <>
          <Icon name="check" size={14} />
          <span class="sr-only">{texts.reviewed}</span>
        </>
      )}
      <Stats added={added} removed={removed} />
    </button>
  )
}

/** Shows how many blocks were added and removed. */
export function Stats({ added, removed }: { added: number; removed: number }) {
  if (added + removed === 0) return null
  return (
    <span class="cr-stats">
      {added > 0 && (
        <span class="cr-stat-added">
          <span aria-hidden="true">+{formatNumber(added)}</span>
          <span class="sr-only">{countText(texts.blocksAdded, added)}</span>
        </span>
      )}
      {removed > 0 && (
        <span class="cr-stat-removed">
          <span aria-hidden="true">−{formatNumber(removed)}</span>
          <span class="sr-only">{countText(texts.blocksRemoved, removed)}</span>
        </span>
      )}
    </span>
  )
}

export const titleOf = ({ subject, title }: ChangeEntry): string => (subject === 'variables' ? texts.variables : title)

/** Describes a change in one word: a page with only a new title is renamed. */
export const describeKind = ({ kind, oldTitle, added, removed, fields }: ChangeEntry): string =>
  kind === 'edited' && oldTitle !== undefined && added + removed === 0 && fields.length <= 2
    ? texts.renamed
    : texts[kind]
