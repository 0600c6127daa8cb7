import { useMemo } from 'preact/hooks'
import { useQuery } from '../../data/query.ts'
import { address, setQuery } from '../../router.ts'
import { countText } from '../../texts.ts'
import { RenderedContent } from '../../ui/rendered-content.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { ChangesList } from '../change-request/changes/changes-list.tsx'
import { toEntries } from '../change-request/changes/entries.ts'
import { SpaceFrame } from '../space/space-frame.tsx'
import { historyTexts } from './history-texts.ts'

/** Maximum number of changes in the list. */
const maxChanges = 500

/** Pages can only be marked as reviewed in change requests. */
const noneReviewed: ReadonlySet<string> = new Set()

/** Compares two versions of a space: the changed pages, and the changes in each. */
export default function CompareScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { spaceId = '', from = '', to = '' } = params
  return (
    <SpaceFrame
      spaceId={spaceId}
      crumbs={[{ title: historyTexts.title, path: `/spaces/${spaceId}/history` }, { title: historyTexts.comparison }]}
      isWide
    >
      {() => (
        <>
          <h1 class="screen-title">{historyTexts.comparison}</h1>
          <Comparison spaceId={spaceId} from={from} to={to} />
        </>
      )}
    </SpaceFrame>
  )
}

interface Versions {
  spaceId: string
  from: string
  to: string
}

function Comparison({ spaceId, from, to }: Versions) {
  const { data, error, reload } = useQuery('GET /spaces/{spaceId}/revisions/{revisionId}/changes', {
    params: { spaceId, revisionId: to },
    query: { comparedWith: from, blocks: false, limit: maxChanges },
  })
  const entries = useMemo(() => toEntries(data?.changes ?? []), [data])
  if (!data) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />
  if (entries.length === 0) return <EmptyState icon="git-compare" title={historyTexts.noChanges} />
  const wanted = address.value.query.get('change')
  const at = Math.max(
    0,
    entries.findIndex(({ key }) => key === wanted),
  )
  const shown = entries[at]
  return (
    <div class="comparison">
      <section aria-label={historyTexts.changesOf}>
        <ChangesList
          entries={entries}
          at={at}
          isPartial={false}
          reviewed={noneReviewed}
          onSelect={(index) => setQuery('change', entries[index]?.key)}
        />
        {data.more !== undefined && data.more > 0 && (
          <p class="quiet">{countText(historyTexts.moreChanges, data.more)}</p>
        )}
      </section>
      {shown?.subject === 'page' ? (
        <ComparedPage key={shown.id} spaceId={spaceId} from={from} to={to} pageId={shown.id} />
      ) : (
        <p class="quiet">{historyTexts.selectPage}</p>
      )}
    </div>
  )
}

/** Shows a page with its changes marked. */
function ComparedPage({ spaceId, from, to, pageId }: Versions & { pageId: string }) {
  const { data, error, reload } = useQuery('GET /spaces/{spaceId}/revisions/{revisionId}/page/{pageId}/html', {
    params: { spaceId, revisionId: to, pageId },
    query: { comparedWith: from },
  })
  if (!data) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />
  return (
    <article class="compared-page">
      <h2>{data.title}</h2>
      <RenderedContent page={data} onIncomplete={() => void reload()} />
    </article>
  )
}
