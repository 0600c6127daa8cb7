import { useSignal } from '@preact/signals'
import type { OpenAPISpec } from '../../../contract/openapi-spec.ts'
import { appHref } from '../../base-path.ts'
import { useList } from '../../data/list.ts'
import { useOrganizations } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import { OrganizationFrame } from '../organization/organization-frame.tsx'
import { SourceDialog } from './source-dialog.tsx'
import { SpecBadge } from './spec-badge.tsx'
import { specTexts as texts } from './spec-texts.ts'

/** Lists the API specifications of an organization with their state. */
export default function SpecsScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const organizationId = params['organizationId'] ?? ''
  const isAdding = useSignal(false)
  const permissions = useOrganizations()?.find(({ id }) => id === organizationId)?.permissions
  const list = useList('GET /orgs/{organizationId}/openapi', { params: { organizationId }, query: { limit: 100 } })
  const { items, error, hasMore, isLoading, loadMore, reload } = list
  const add = permissions?.createOpenAPISpec === true && (
    <Button kind="primary" icon="plus" onClick={() => (isAdding.value = true)}>
      {texts.add}
    </Button>
  )
  return (
    <OrganizationFrame organizationId={organizationId} crumbs={[{ title: texts.title }]}>
      <div class="screen-head">
        <h1 class="screen-title">{texts.title}</h1>
        {items && items.length > 0 && add}
      </div>
      {!items && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
      {items?.length === 0 && (
        <EmptyState icon="code" title={texts.empty} actions={add}>
          {texts.emptyHint}
        </EmptyState>
      )}
      {items && items.length > 0 && (
        <ul class="rows">
          {items.map((spec) => (
            <li key={spec.id}>
              <SpecRow organizationId={organizationId} spec={spec} />
            </li>
          ))}
        </ul>
      )}
      {hasMore && (
        <Button isBusy={isLoading} onClick={() => void loadMore()}>
          {uiTexts.loadMore}
        </Button>
      )}
      {isAdding.value && <SourceDialog organizationId={organizationId} onClose={() => (isAdding.value = false)} />}
    </OrganizationFrame>
  )
}

function SpecRow({ organizationId, spec }: { organizationId: string; spec: OpenAPISpec }) {
  const { slug, sourceURL, visibility, lastProcessedAt } = spec
  return (
    <a class="row" href={appHref(`/orgs/${organizationId}/openapi/${slug}`)}>
      <Icon name="code" />
      <span class="row-title row-title-with-text">
        {slug}
        <span class="row-text">{sourceURL ?? texts.sentText}</span>
      </span>
      <span class="row-facts">
        <span>{texts[visibility]}</span>
        <SpecBadge spec={spec} />
        {lastProcessedAt !== undefined && <Time at={lastProcessedAt} />}
      </span>
    </a>
  )
}
