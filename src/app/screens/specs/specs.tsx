import { useSignal } from '@preact/signals'
import type { OpenAPISpec } from '../../../contract/openapi-spec.ts'
import { appHref } from '../../base-path.ts'
import { useList } from '../../data/list.ts'
import { useOrganization } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ItemList } from '../../ui/item-list.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { OrganizationFrame } from '../organization/organization-frame.tsx'
import { SourceDialog } from './source-dialog.tsx'
import { SpecBadge } from './spec-badge.tsx'
import { specTexts as texts } from './spec-texts.ts'

/** Lists the API specifications of an organization with their state. */
export default function SpecsScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const organizationId = params['organizationId'] ?? ''
  const isAdding = useSignal(false)
  const permissions = useOrganization(organizationId)?.permissions
  const list = useList('GET /orgs/{organizationId}/openapi', { params: { organizationId }, query: { limit: 100 } })
  const add = permissions?.createOpenAPISpec === true && (
    <Button kind="primary" icon="plus" onClick={() => (isAdding.value = true)}>
      {texts.add}
    </Button>
  )
  return (
    <OrganizationFrame organizationId={organizationId} crumbs={[{ title: texts.title }]}>
      <div class="screen-head">
        <h1 class="screen-title">{texts.title}</h1>
        {list.items && list.items.length > 0 && add}
      </div>
      <ItemList
        list={list}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon="code" title={texts.empty} actions={add}>
            {texts.emptyHint}
          </EmptyState>
        }
        renderItem={(spec) => <SpecRow organizationId={organizationId} spec={spec} />}
      />
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
