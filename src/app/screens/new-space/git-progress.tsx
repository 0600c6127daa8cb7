import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { GitSyncState } from '../../../contract/git-sync.ts'
import { request } from '../../api.ts'
import { appHref } from '../../base-path.ts'
import { deleteShown, invalidate, useQuery } from '../../data/query.ts'
import { navigate } from '../../router.ts'
import { countText } from '../../texts.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { OrganizationFrame } from '../organization/organization-frame.tsx'
import { ProgressHead, Warnings, progressTexts as texts } from './progress.tsx'
import { RepositoryFields } from './repository-fields.tsx'
import { importRepository } from './start-space.ts'
import { usePolling } from './use-polling.ts'

/** Shows the import of a Git repository into a new space; when it is complete, the space opens. */
export default function GitProgressScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { organizationId = '', spaceId = '' } = params
  const { data, error, reload } = useQuery('GET /spaces/{spaceId}/git/info', { params: { spaceId } })
  const operation = data?.operation
  const isRunning = data !== undefined && (operation === undefined || operation.state === 'running')
  usePolling(isRunning, reload)
  const isClean =
    operation?.state === 'success' && operation.warningCount === 0 && operation.changeRequest === undefined
  useEffect(() => {
    if (operation?.state === 'success') invalidate(`/spaces/${spaceId}`)
    if (!isClean) return
    showToast(countText(texts.importedFiles, operation.done))
    navigate(`/spaces/${spaceId}`, { replace: true })
  }, [operation?.state])
  return (
    <OrganizationFrame organizationId={organizationId} crumbs={[{ title: texts.title }]}>
      <h1 class="screen-title">{texts.title}</h1>
      {data && <p class="quiet">{data.repository}</p>}
      {!data && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
      {isRunning && (
        <ProgressHead
          icon="progress"
          title={operation?.total ? texts.running : texts.waiting}
          done={operation?.done ?? 0}
          total={operation?.total ?? 0}
        >
          <p class="quiet">{texts.reload}</p>
        </ProgressHead>
      )}
      {operation?.state === 'success' && <GitResult spaceId={spaceId} operation={operation} />}
      {data && (operation?.state === 'failure' || operation?.state === 'timeout') && (
        <GitFailure organizationId={organizationId} spaceId={spaceId} state={data} onRetried={reload} />
      )}
    </OrganizationFrame>
  )
}

type Operation = NonNullable<GitSyncState['operation']>

function GitResult({ spaceId, operation }: { spaceId: string; operation: Operation }) {
  const { data } = useQuery('GET /spaces/{spaceId}/git/operations/{operationId}', {
    params: { spaceId, operationId: operation.id },
  })
  const { warnings, warningCount, changeRequest } = data ?? operation
  return (
    <>
      <ProgressHead icon="circle-check" title={texts.done}>
        <p>{countText(texts.importedFiles, operation.done)}</p>
        {changeRequest !== undefined && <p>{texts.waitsForMerge}</p>}
        <div class="toolbar">
          <LinkButton kind="primary" href={appHref(`/spaces/${spaceId}`)}>
            {texts.open}
          </LinkButton>
          {changeRequest !== undefined && (
            <LinkButton href={appHref(`/spaces/${spaceId}/change-requests/${changeRequest}`)}>
              {texts.openChangeRequest}
            </LinkButton>
          )}
        </div>
      </ProgressHead>
      <Warnings warnings={warnings} count={warningCount} spaceId={spaceId} />
    </>
  )
}

interface GitFailureProps {
  organizationId: string
  spaceId: string
  state: GitSyncState
  onRetried: () => Promise<void>
}

/** Shows why the import failed, with a form to change the repository and import it again. */
function GitFailure({ organizationId, spaceId, state, onRetried }: GitFailureProps) {
  const { operation, repository: url, ref, projectDirectory: directory } = state
  const branch = ref.replace(/^refs\/heads\//, '')
  const repository = useSignal({ url, branch, directory, username: '', password: '' })
  const [retry, isRetrying] = useAction(async () => {
    await importRepository(spaceId, repository.value)
    await onRetried()
  })
  const [remove, isRemoving] = useAction(() => deleteEmptySpace(organizationId, spaceId))
  return (
    <>
      <ProgressHead icon="circle-x" title={texts.failed}>
        <p role="alert">{operation?.state === 'timeout' ? texts.timeout : operation?.error}</p>
        {operation?.errorAction && <a href={operation.errorAction.url}>{operation.errorAction.label}</a>}
      </ProgressHead>
      <Form class="new-space section" onSubmit={() => void retry()}>
        <h2>{texts.change}</h2>
        <RepositoryFields value={repository.value} onChange={(changed) => (repository.value = changed)} />
        <div class="toolbar">
          <Button type="submit" kind="primary" isBusy={isRetrying}>
            {texts.retry}
          </Button>
          <Button isBusy={isRemoving} onClick={() => void remove()}>
            {texts.remove}
          </Button>
        </div>
      </Form>
    </>
  )
}

/** Deletes a space whose import failed; it can be restored for some days. */
export async function deleteEmptySpace(organizationId: string, spaceId: string): Promise<void> {
  await deleteShown(`/spaces/${spaceId}`, () => request('DELETE /spaces/{spaceId}', { params: { spaceId } }))
  invalidate(`/orgs/${organizationId}`)
  showToast(texts.removed)
  navigate(`/orgs/${organizationId}`)
}
