import { useState } from 'preact/hooks'
import type { PageTextMatches } from '../../../contract/text-matches.ts'
import { ApiError } from '../../api.ts'
import { appHref } from '../../base-path.ts'
import { countText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { showError, showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import type { Replaced } from './replace-in-page.ts'
import { replaceTexts as texts } from './replace-texts.ts'
import type { FoundPage, TextSearch } from './use-text-matches.ts'

/** Replaces chosen matches of a page. */
export type Replace = (page: FoundPage, isChosen: (index: number) => boolean) => Promise<Replaced>

interface ResultsProps {
  search: TextSearch
  /** Path of the space or change request in the app, to which that of a page is appended. */
  path: string
  /** Undefined if nothing can be replaced. */
  replace: Replace | undefined
}

/** Shows the pages with matches, and buttons that replace them. */
export function ReplaceResults({ search, path, replace }: ResultsProps) {
  const [failures, setFailures] = useState<ReadonlyMap<string, string>>(new Map())
  const pages = search.pages.filter(({ count }) => count > 0)
  /** Replaces in one page after another, so that each write is based on the result of the previous one. */
  const [run, isRunning] = useAction(async (chosen: readonly FoundPage[], isChosen: (index: number) => boolean) => {
    if (!replace) return
    const done: Replaced[] = []
    const failed = new Map<string, string>()
    for (const page of chosen) {
      try {
        const replaced = await replace(page, isChosen)
        done.push(replaced)
        search.setPage(replaced.page)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        failed.set(page.page, error.message)
      }
    }
    setFailures(failed)
    if (failed.size > 0) showToast(countText(texts.failed, failed.size), { kind: 'error' })
    if (done.length > 0) offerUndo(done, search)
  })
  return (
    <>
      {replace && pages.length > 0 && (
        <p class="toolbar">
          <Button kind="primary" isBusy={isRunning} onClick={() => void run(pages, () => true)}>
            {texts.replaceAll}
          </Button>
        </p>
      )}
      <ol class="search-results replace-results">
        {pages.map((page) => (
          <li key={page.page} class="search-result">
            <div class="replace-page">
              <a class="search-title" href={appHref(`${path}/pages/${page.page}`)}>
                {page.title}
              </a>
              <span class="search-path">{page.path}</span>
              {replace && (
                <Button kind="quiet" disabled={isRunning} onClick={() => void run([page], () => true)}>
                  {texts.replacePage}
                </Button>
              )}
            </div>
            {failures.has(page.page) && (
              <p class="replace-failure" role="alert">
                {failures.get(page.page)}
              </p>
            )}
            <MatchList
              page={page}
              disabled={isRunning}
              {...(replace && { onReplace: (index: number) => void run([page], (one) => one === index) })}
            />
          </li>
        ))}
      </ol>
    </>
  )
}

function offerUndo(done: readonly Replaced[], search: TextSearch): void {
  const count = done.reduce((sum, one) => sum + one.count, 0)
  const undo = async () => {
    for (const one of done) await one.undo()
    showToast(texts.undone)
    search.restart()
  }
  showToast(countText(texts.replaced, count), {
    action: { title: texts.undo, onSelect: () => void undo().catch(showError) },
  })
}

interface MatchListProps {
  page: PageTextMatches
  disabled: boolean
  onReplace?: (index: number) => void
}

/** Maximum number of shown matches of a page. */
const maxShown = 100
/** Number of characters that are shown before and after a match. */
const contextLength = 80

function MatchList({ page, disabled, onReplace }: MatchListProps) {
  const shown = page.matches.slice(0, maxShown)
  const hidden = page.count - shown.length
  return (
    <>
      <ul class="replace-matches">
        {shown.map(({ line, from, to }, index) => (
          <li key={index}>
            <span class="search-text">
              {from > contextLength && '…'}
              {line.slice(Math.max(0, from - contextLength), from)}
              <mark>{line.slice(from, to)}</mark>
              {line.slice(to, to + contextLength)}
              {line.length > to + contextLength && '…'}
            </span>
            {onReplace && (
              <Button kind="quiet" disabled={disabled} onClick={() => onReplace(index)}>
                {texts.replace}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {hidden > 0 && <p class="quiet">{countText(texts.more, hidden)}</p>}
    </>
  )
}
