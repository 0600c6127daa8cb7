import type { GitOperation } from '../../../contract/git-sync.ts'
import type { Space } from '../../../contract/space.ts'
import { useList } from '../../data/list.ts'
import { address, setQuery } from '../../router.ts'
import { countText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import { gitTexts as texts } from './git-texts.ts'
import { OperationDialog } from './operation-dialog.tsx'
import { OperationRow } from './operation-row.tsx'

/** All imports and exports of a space, newest first; the address contains the one whose log is shown. */
export function OperationList({ space }: { space: Space }) {
  const list = useList('GET /spaces/{spaceId}/git/operations', { params: { spaceId: space.id }, query: { limit: 20 } })
  const { items, error, hasMore, isLoading, loadMore, reload } = list
  const shown = address.value.query.get('operation') ?? undefined
  return (
    <section class="section">
      <h2>{texts.operations}</h2>
      {!items && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
      {items?.length === 0 && <p class="quiet">{texts.noOperations}</p>}
      {items && items.length > 0 && (
        <ul class="rows">
          {items.map((operation) => (
            <li key={operation.id}>
              <button type="button" class="row" onClick={() => setQuery('operation', operation.id)}>
                <OperationRow operation={operation} title={describe(operation)} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {hasMore && (
        <Button isBusy={isLoading} onClick={() => void loadMore()}>
          {uiTexts.loadMore}
        </Button>
      )}
      {shown !== undefined && (
        <OperationDialog spaceId={space.id} operationId={shown} onClose={() => setQuery('operation', undefined)} />
      )}
    </section>
  )
}

const describe = ({ direction, total }: GitOperation): string =>
  [
    direction === 'import' ? texts.importTitle : texts.exportTitle,
    ...(total > 0 ? [countText(texts.files, total)] : []),
  ].join(' · ')
