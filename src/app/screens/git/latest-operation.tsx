import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { GitSyncState } from '../../../contract/git-sync.ts'
import type { Space } from '../../../contract/space.ts'
import { appHref } from '../../base-path.ts'
import { invalidate } from '../../data/query.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { ProgressHead } from '../new-space/progress.tsx'
import { gitTexts as texts } from './git-texts.ts'
import { RepositoryDialog } from './repository-dialog.tsx'

/** Shows the progress of a running operation, or why the last one failed, with the next step. */
export function LatestOperation({ space, state }: { space: Space; state: GitSyncState }) {
  const { operation } = state
  const previous = useRef(operation?.state)
  useEffect(() => {
    // The content and the status of the space change when an operation ends.
    if (previous.current === 'running' && operation?.state !== 'running') invalidate(`/spaces/${space.id}`)
    previous.current = operation?.state
  }, [operation?.state])
  if (!operation || operation.state === 'success') return null
  const { direction, done, total } = operation
  if (operation.state === 'running')
    return (
      <ProgressHead
        icon="progress"
        title={direction === 'import' ? texts.importing : texts.exporting}
        done={done}
        total={total}
      />
    )
  return <FailedOperation space={space} state={state} operation={operation} />
}

interface FailedOperationProps {
  space: Space
  state: GitSyncState
  operation: NonNullable<GitSyncState['operation']>
}

function FailedOperation({ space, state, operation }: FailedOperationProps) {
  const isChanging = useSignal(false)
  const { direction, changeRequest, error } = operation
  if (changeRequest !== undefined)
    return (
      <ProgressHead icon="git-pull-request" title={texts.waiting}>
        <p role="alert">{error}</p>
        <p class="quiet">{texts.requestHint}</p>
        <div class="toolbar">
          <LinkButton href={appHref(`/spaces/${space.id}/change-requests/${changeRequest}`)}>
            {texts.openRequest}
          </LinkButton>
        </div>
      </ProgressHead>
    )
  const needsToken = state.installationStatus === 'unauthenticated'
  return (
    <ProgressHead icon="circle-x" title={direction === 'import' ? texts.importFailed : texts.exportFailed}>
      <p role="alert">{operation.state === 'timeout' ? texts.timeoutText : error}</p>
      {space.permissions.installIntegration && operation.state !== 'timeout' && (
        <>
          <p class="quiet">{needsToken ? texts.credentialsHint : texts.settingsHint}</p>
          <div class="toolbar">
            <Button onClick={() => (isChanging.value = true)}>{texts.settings}</Button>
          </div>
        </>
      )}
      {isChanging.value && (
        <RepositoryDialog spaceId={space.id} state={state} onClose={() => (isChanging.value = false)} />
      )}
    </ProgressHead>
  )
}
