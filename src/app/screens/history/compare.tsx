import type { SemanticChange } from '../../../contract/semantic-changes.ts'
import { useQuery } from '../../data/query.ts'
import { address, setQuery } from '../../router.ts'
import { countText } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { RenderedContent } from '../../ui/rendered-content.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { SpaceFrame } from '../space/space-frame.tsx'
import { historyTexts } from './history-texts.ts'

/** Maximum number of changes in the list. */
const maxChanges = 500

/** Compares two versions of a space: the changed pages, and what changed in each. */
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
  const shown = address.value.query.get('page') ?? undefined
  if (!data) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />
  if (data.changes.length === 0) return <EmptyState icon="git-compare" title={historyTexts.noChanges} />
  return (
    <div class="comparison">
      <section aria-label={historyTexts.changesOf}>
        <ul class="rows">
          {data.changes.map((change, index) => (
            <li key={index}>
              <ChangeRow change={change} isShown={'page' in change && change.page.id === shown} />
            </li>
          ))}
        </ul>
        {data.more !== undefined && data.more > 0 && (
          <p class="quiet">{countText(historyTexts.moreChanges, data.more)}</p>
        )}
      </section>
      {shown === undefined ? (
        <p class="quiet">{historyTexts.selectPage}</p>
      ) : (
        <ComparedPage spaceId={spaceId} from={from} to={to} pageId={shown} />
      )}
    </div>
  )
}

function ChangeRow({ change, isShown }: { change: SemanticChange; isShown: boolean }) {
  const { label, tone, title } = describeChange(change)
  const content = (
    <>
      <Badge tone={tone}>{label}</Badge>
      <span class="row-title">{title}</span>
    </>
  )
  if (!('page' in change)) return <div class="row">{content}</div>
  return (
    <button type="button" class="row" aria-pressed={isShown} onClick={() => setQuery('page', change.page.id)}>
      {content}
    </button>
  )
}

function describeChange(change: SemanticChange) {
  const kind = change.type.split('_').at(-1)
  const tone = kind === 'created' ? 'success' : kind === 'deleted' ? 'danger' : 'accent'
  const labels: Record<string, string> = {
    created: historyTexts.pageCreated,
    edited: historyTexts.pageEdited,
    deleted: historyTexts.pageDeleted,
    moved: historyTexts.pageMoved,
  }
  const label = labels[kind ?? ''] ?? ''
  if ('page' in change) return { label, tone, title: change.page.title } as const
  if ('file' in change) return { label, tone, title: `${historyTexts.file}: ${change.file.name}` } as const
  if ('tag' in change) return { label, tone, title: `${historyTexts.tag}: ${change.tag.label}` } as const
  if ('reusableContent' in change)
    return { label, tone, title: `${historyTexts.reusableContent}: ${change.reusableContent.title}` } as const
  return { label, tone, title: historyTexts.variables } as const
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
