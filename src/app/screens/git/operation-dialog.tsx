import type { GitOperation } from '../../../contract/git-sync.ts'
import { appHref } from '../../base-path.ts'
import { useQuery } from '../../data/query.ts'
import { countText } from '../../texts.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fact, FactList } from '../../ui/facts.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { Warnings } from '../new-space/progress.tsx'
import { usePolling } from '../new-space/use-polling.ts'
import { gitTexts as texts } from './git-texts.ts'
import { OperationBadge } from './operation-row.tsx'

interface OperationDialogProps {
  spaceId: string
  operationId: string
  onClose: () => void
}

/** The log of one import or export: its result, why it failed, and all notes with their files. */
export function OperationDialog({ spaceId, operationId, onClose }: OperationDialogProps) {
  const { data, error, reload } = useQuery('GET /spaces/{spaceId}/git/operations/{operationId}', {
    params: { spaceId, operationId },
  })
  usePolling(data?.state === 'running', reload)
  return (
    <Dialog title={data?.direction === 'export' ? texts.exportTitle : texts.importTitle} isWide onClose={onClose}>
      {data && <OperationLog spaceId={spaceId} operation={data} />}
      {!data && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
    </Dialog>
  )
}

function OperationLog({ spaceId, operation }: { spaceId: string; operation: GitOperation }) {
  const { startedAt, commit, done, error, changeRequest, warnings, warningCount } = operation
  return (
    <>
      <FactList>
        <Fact name={texts.result}>
          <OperationBadge operation={operation} /> {done > 0 && countText(texts.files, done)}
        </Fact>
        <Fact name={texts.started}>
          <Time at={startedAt} />
        </Fact>
        {commit !== undefined && (
          <Fact name={texts.commit}>
            <code>{commit}</code>
          </Fact>
        )}
        {error !== undefined && <Fact name={texts.reason}>{error}</Fact>}
      </FactList>
      {changeRequest !== undefined && (
        <p class="toolbar">
          <LinkButton href={appHref(`/spaces/${spaceId}/change-requests/${changeRequest}`)}>
            {texts.openRequest}
          </LinkButton>
        </p>
      )}
      <Warnings warnings={warnings} count={warningCount} spaceId={spaceId} isOpen />
    </>
  )
}
