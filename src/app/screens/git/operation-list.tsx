import type { GitOperation } from '../../../contract/git-sync.ts'
import type { Space } from '../../../contract/space.ts'
import { useList } from '../../data/list.ts'
import { address, setQuery } from '../../router.ts'
import { countText } from '../../texts.ts'
import { ItemList } from '../../ui/item-list.tsx'
import { gitTexts as texts } from './git-texts.ts'
import { OperationDialog } from './operation-dialog.tsx'
import { OperationRow } from './operation-row.tsx'

/** All imports and exports of a space, newest first; the address contains the one whose log is shown. */
export function OperationList({ space }: { space: Space }) {
  const list = useList('GET /spaces/{spaceId}/git/operations', { params: { spaceId: space.id }, query: { limit: 20 } })
  const shown = address.value.query.get('operation') ?? undefined
  return (
    <section class="section">
      <h2>{texts.operations}</h2>
      <ItemList
        list={list}
        keyOf={({ id }) => id}
        empty={<p class="quiet">{texts.noOperations}</p>}
        renderItem={(operation) => (
          <button type="button" class="row" onClick={() => setQuery('operation', operation.id)}>
            <OperationRow operation={operation} title={describe(operation)} />
          </button>
        )}
      />
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
