import type { ChangeRequest } from '../../../../contract/change-request.ts'
import type { BlockChange } from '../../../../contract/semantic-changes.ts'
import { useQuery } from '../../../data/query.ts'
import { RenderedContent } from '../../../ui/rendered-content.tsx'
import { ErrorState, Loading } from '../../../ui/states.tsx'
import { paramsOf } from '../use-change-request.ts'
import type { ChangeEntry } from './entries.ts'
import { Words } from './words.tsx'

interface ReusableContentChangeProps {
  changeRequest: ChangeRequest
  entry: ChangeEntry
  comparedWith: string | undefined
}

/** Shows the changed texts of a reusable content, or all of a new one. */
export function ReusableContentChange({ changeRequest, entry, comparedWith }: ReusableContentChangeProps) {
  if (entry.kind === 'deleted') return null
  return entry.kind === 'added' ? (
    <AddedContent changeRequest={changeRequest} entry={entry} />
  ) : (
    <EditedContent changeRequest={changeRequest} entry={entry} comparedWith={comparedWith} />
  )
}

function AddedContent({ changeRequest, entry }: Omit<ReusableContentChangeProps, 'comparedWith'>) {
  const { data, error, reload } = useQuery(
    'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/reusable-contents/{reusableContentId}/html',
    { params: { ...paramsOf(changeRequest), reusableContentId: entry.id } },
  )
  if (!data) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />
  return <RenderedContent page={data} onIncomplete={() => void reload()} />
}

function EditedContent({ changeRequest, entry, comparedWith }: ReusableContentChangeProps) {
  const { data, error, reload } = useQuery('GET /spaces/{spaceId}/change-requests/{changeRequestId}/changes', {
    params: paramsOf(changeRequest),
    query: { limit: 1000, ...(comparedWith !== undefined && { comparedWith }) },
  })
  if (!data) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />
  const change = data.changes.find(
    (one) => one.type === 'reusable_content_edited' && one.reusableContent.id === entry.id,
  )
  const blocks = (change && 'blocks' in change && change.blocks) || []
  return (
    <div class="content cr-words">
      {blocks.map((block) => (
        <p key={block.block + block.kind}>
          <Words words={toWords(block)} />
        </p>
      ))}
    </div>
  )
}

function toWords({ words, before, after }: BlockChange): NonNullable<BlockChange['words']> {
  if (words) return words
  return [
    ...(before === undefined ? [] : [{ kind: 'removed' as const, text: before }]),
    ...(after === undefined ? [] : [{ kind: 'added' as const, text: after }]),
  ]
}
