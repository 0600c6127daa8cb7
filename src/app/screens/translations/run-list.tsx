import type { TranslationRun } from '../../../contract/translation.ts'
import { appHref } from '../../base-path.ts'
import type { List } from '../../data/list.ts'
import { countText } from '../../texts.ts'
import { ItemList } from '../../ui/item-list.tsx'
import { Time } from '../../ui/time.tsx'
import { RunBadge } from './status-badge.tsx'
import { translationTexts as texts } from './translation-texts.ts'

interface RunListProps {
  list: List<TranslationRun>
  /** ID of the translated space. */
  resultSpace: string | undefined
}

/** The runs of a translation, newest first. */
export function RunList({ list, resultSpace }: RunListProps) {
  return (
    <section class="section">
      <h2>{texts.runs}</h2>
      <ItemList
        list={list}
        keyOf={({ id }) => id}
        loadingLines={2}
        empty={<p class="quiet">{texts.noRuns}</p>}
        renderItem={(run) => (
          <div class="row">
            <span class="row-title row-title-with-text">
              {[countText(texts.pages, run.progress.donePages), countText(texts.words, run.usage.words)].join(' · ')}
              {run.failure !== undefined && <span class="row-text">{run.failure}</span>}
            </span>
            <span class="row-facts">
              {run.changeRequest !== undefined && resultSpace !== undefined && (
                <a href={appHref(`/spaces/${resultSpace}/change-requests/${run.changeRequest}`)}>{texts.openRequest}</a>
              )}
              {run.engine !== undefined && <span>{run.engine}</span>}
              <RunBadge run={run} />
              <Time at={run.createdAt} />
            </span>
          </div>
        )}
      />
    </section>
  )
}
