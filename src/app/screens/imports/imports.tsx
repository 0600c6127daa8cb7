import type { ImportRun } from '../../../contract/imports.ts'
import type { Space } from '../../../contract/space.ts'
import { appHref } from '../../base-path.ts'
import { useList } from '../../data/list.ts'
import { countText, fillText, formatNumber } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ItemList } from '../../ui/item-list.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { canRetry, cancelImport, retryImport } from '../new-space/import-actions.ts'
import { usePolling } from '../new-space/use-polling.ts'
import { useSpaces } from '../organization/use-spaces.ts'
import { ImportsFrame, importTexts as texts } from './imports-frame.tsx'

const isActive = ({ status }: ImportRun): boolean => status === 'pending' || status === 'in-progress'

/** Lists imports of websites and files with their state. */
export default function ImportsScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const organizationId = params['organizationId'] ?? ''
  const list = useList('GET /org/{organizationId}/imports', { params: { organizationId }, query: { limit: 50 } })
  const { items, reload } = list
  const spaces = useSpaces(organizationId)
  usePolling(items?.some(isActive) === true, reload)
  return (
    <ImportsFrame organizationId={organizationId} source="website">
      <ItemList
        list={list}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon="download" title={texts.empty}>
            {texts.emptyHint}
          </EmptyState>
        }
        renderItem={(run) => (
          <ImportRow organizationId={organizationId} run={run} space={spaces.get(run.target.space)} />
        )}
      />
    </ImportsFrame>
  )
}

const looks = {
  pending: { tone: 'neutral', icon: 'circle-dashed' },
  'in-progress': { tone: 'accent', icon: 'progress' },
  completed: { tone: 'success', icon: 'check' },
  failed: { tone: 'danger', icon: 'x' },
  cancelled: { tone: 'neutral', icon: 'x' },
} as const

function describeSource({ source }: ImportRun): string {
  if ('url' in source) return source.url.replace(/^https?:\/\//, '')
  return 'template' in source ? texts.template : countText(texts.files, source.files.length)
}

interface ImportRowProps {
  organizationId: string
  run: ImportRun
  space: Space | undefined
}

function ImportRow({ organizationId, run, space }: ImportRowProps) {
  const { id, status, reason, importedResources, totalResources, warningCount, createdAt } = run
  const [cancel, isCancelling] = useAction(() => cancelImport(organizationId, run))
  const [retry, isRetrying] = useAction(() => retryImport(organizationId, run))
  const canEdit = space?.permissions.edit === true
  return (
    <div class="row">
      <Icon name={'url' in run.source ? 'world' : 'files'} />
      <a class="row-title row-link row-title-with-text" href={appHref(`/orgs/${organizationId}/imports/${id}`)}>
        {describeSource(run)}
        <span class="row-text">{reason ?? fillText(texts.into, { space: space?.title ?? texts.unknownSpace })}</span>
      </a>
      <span class="row-facts">
        {warningCount > 0 && <span>{countText(texts.notes, warningCount)}</span>}
        {totalResources > 0 && (
          <span>
            {fillText(texts.pages, { done: formatNumber(importedResources), total: formatNumber(totalResources) })}
          </span>
        )}
        <Badge {...looks[status]}>{texts[status]}</Badge>
        <Time at={createdAt} />
        {canEdit && isActive(run) && (
          <Button kind="quiet" isBusy={isCancelling} onClick={() => void cancel()}>
            {texts.cancel}
          </Button>
        )}
        {canEdit && canRetry(run) && (
          <Button kind="quiet" isBusy={isRetrying} onClick={() => void retry()}>
            {texts.retry}
          </Button>
        )}
      </span>
    </div>
  )
}
