import { appHref } from '../../base-path.ts'
import { useList } from '../../data/list.ts'
import { ItemList } from '../../ui/item-list.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { OperationRow } from '../git/operation-row.tsx'
import { usePolling } from '../new-space/use-polling.ts'
import { useSpaces } from '../organization/use-spaces.ts'
import { ImportsFrame, importTexts as texts } from './imports-frame.tsx'

/** Lists imports from and exports to Git of all spaces; each links to the Git screen of its space. */
export default function GitImportsScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const organizationId = params['organizationId'] ?? ''
  const list = useList('GET /orgs/{organizationId}/git/operations', {
    params: { organizationId },
    query: { limit: 50 },
  })
  const { items, reload } = list
  const spaces = useSpaces(organizationId)
  usePolling(items?.some(({ state }) => state === 'running') === true, reload)
  return (
    <ImportsFrame organizationId={organizationId} source="git">
      <ItemList
        list={list}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon="brand-git" title={texts.emptyGit}>
            {texts.emptyGitHint}
          </EmptyState>
        }
        renderItem={(operation) => (
          <a class="row" href={appHref(`/spaces/${operation.space}/git?operation=${operation.id}`)}>
            <OperationRow operation={operation} title={spaces.get(operation.space)?.title ?? texts.unknownSpace} />
          </a>
        )}
      />
    </ImportsFrame>
  )
}
