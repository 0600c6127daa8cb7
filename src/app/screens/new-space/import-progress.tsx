import { useEffect } from 'preact/hooks'
import type { ImportRun } from '../../../contract/imports.ts'
import { appHref } from '../../base-path.ts'
import { invalidate, useQuery } from '../../data/query.ts'
import { navigate } from '../../router.ts'
import { countText } from '../../texts.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { OrganizationFrame } from '../organization/organization-frame.tsx'
import { deleteEmptySpace } from './git-progress.tsx'
import { canRetry, cancelImport, retryImport } from './import-actions.ts'
import { ProgressHead, Warnings, progressTexts as texts } from './progress.tsx'
import { usePolling } from './use-polling.ts'

/** Maximum number of pages that are listed while they are read. */
const maxPages = 12

/** Shows the import of a website or of files; when it is complete, the space opens. */
export default function ImportProgressScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { organizationId = '', importRunId = '' } = params
  const {
    data: run,
    error,
    reload,
  } = useQuery('GET /org/{organizationId}/imports/{importRunId}', { params: { organizationId, importRunId } })
  const isRunning = run?.status === 'pending' || run?.status === 'in-progress'
  usePolling(isRunning, reload)
  useEffect(() => {
    if (run?.status !== 'completed') return
    invalidate(`/spaces/${run.target.space}`)
    if (run.warningCount > 0) return
    showToast(countText(texts.imported, run.importedResources))
    navigate(`/spaces/${run.target.space}`, { replace: true })
  }, [run?.status])
  return (
    <OrganizationFrame organizationId={organizationId} crumbs={[{ title: texts.title }]}>
      <h1 class="screen-title">{texts.title}</h1>
      {run && 'url' in run.source && <p class="quiet">{run.source.url}</p>}
      {!run && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
      {run && isRunning && <RunningImport organizationId={organizationId} run={run} onCancelled={reload} />}
      {run && !isRunning && <EndedImport organizationId={organizationId} run={run} />}
    </OrganizationFrame>
  )
}

interface RunningImportProps {
  organizationId: string
  run: ImportRun
  onCancelled: () => Promise<void>
}

function RunningImport({ organizationId, run, onCancelled }: RunningImportProps) {
  const [cancel, isCancelling] = useAction(async () => {
    await cancelImport(organizationId, run)
    await onCancelled()
  })
  const read = (run.pages ?? []).filter(({ status }) => status === 'complete').slice(-maxPages)
  return (
    <>
      <ProgressHead
        icon="progress"
        title={run.status === 'pending' ? texts.waiting : texts.running}
        done={run.importedResources}
        total={run.totalResources}
      >
        <p class="quiet">{texts.reload}</p>
        <div class="toolbar">
          <Button isBusy={isCancelling} onClick={() => void cancel()}>
            {texts.cancel}
          </Button>
        </div>
      </ProgressHead>
      {read.length > 0 && (
        <section class="section">
          <h2>{texts.pages}</h2>
          <ul class="progress-pages">
            {read.toReversed().map(({ title, sourceURL }, index) => (
              <li key={sourceURL ?? index}>{title ?? sourceURL}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function EndedImport({ organizationId, run }: { organizationId: string; run: ImportRun }) {
  const [remove, isRemoving] = useAction(() => deleteEmptySpace(organizationId, run.target.space))
  const [retry, isRetrying] = useAction(() => retryImport(organizationId, run))
  const isComplete = run.status === 'completed'
  const isCancelled = run.status === 'cancelled'
  const title = isComplete ? texts.done : isCancelled ? texts.cancelled : texts.failed
  return (
    <>
      <ProgressHead icon={isComplete ? 'circle-check' : 'circle-x'} title={title}>
        {isComplete && <p>{countText(texts.imported, run.importedResources)}</p>}
        {isCancelled && <p>{texts.cancelledHint}</p>}
        {run.reason !== undefined && <p role="alert">{run.reason}</p>}
        <div class="toolbar">
          <LinkButton kind="primary" href={appHref(`/spaces/${run.target.space}`)}>
            {texts.open}
          </LinkButton>
          {!isComplete && canRetry(run) && (
            <Button isBusy={isRetrying} onClick={() => void retry()}>
              {texts.retry}
            </Button>
          )}
          {!isComplete && (
            <Button isBusy={isRemoving} onClick={() => void remove()}>
              {texts.remove}
            </Button>
          )}
        </div>
      </ProgressHead>
      <Warnings warnings={run.warnings ?? []} count={run.warningCount} />
    </>
  )
}
