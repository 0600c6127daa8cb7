import { useList } from '../../data/list.ts'
import { useQuery } from '../../data/query.ts'
import { countText, defineTexts } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { OrganizationFrame } from '../organization/organization-frame.tsx'

const texts = defineTexts('spec', {
  title: 'OpenAPI specification',
  pending: 'Waiting',
  progress: 'Processing',
  complete: 'Processed',
  failed: 'Failed',
  source: 'Source',
  problems: { one: '{count} problem', other: '{count} problems' },
  versions: 'Versions',
  noVersions: 'No version was processed yet.',
})

/** An OpenAPI specification: its state, its problems, and its versions. */
export default function SpecScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { organizationId = '', specSlug = '' } = params
  const {
    data: spec,
    error,
    reload,
  } = useQuery('GET /orgs/{organizationId}/openapi/{specSlug}', {
    params: { organizationId, specSlug },
  })
  return (
    <OrganizationFrame organizationId={organizationId} crumbs={[{ title: texts.title }, { title: specSlug }]}>
      <h1 class="screen-title">{spec?.slug ?? texts.title}</h1>
      {!spec && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
      {spec && (
        <>
          <p class="toolbar">
            <Badge tone={spec.lastProcessErrorCode ? 'danger' : 'neutral'}>
              {spec.lastProcessErrorCode ? texts.failed : texts[spec.processingState]}
            </Badge>
            {spec.lastProcessedAt !== undefined && <Time at={spec.lastProcessedAt} />}
          </p>
          {spec.sourceURL !== undefined && (
            <p>
              {texts.source}: <a href={spec.sourceURL}>{spec.sourceURL}</a>
            </p>
          )}
          {spec.lastProcessedErrorCount > 0 && (
            <section class="section">
              <h2>{countText(texts.problems, spec.lastProcessedErrorCount)}</h2>
              <ul class="problem-list">
                {(spec.lastProcessedErrors ?? []).map(({ message }, index) => (
                  <li key={index}>{message}</li>
                ))}
              </ul>
            </section>
          )}
          <SpecVersions organizationId={organizationId} specSlug={specSlug} />
        </>
      )}
    </OrganizationFrame>
  )
}

function SpecVersions({ organizationId, specSlug }: { organizationId: string; specSlug: string }) {
  const { items, error, reload } = useList('GET /orgs/{organizationId}/openapi/{specSlug}/versions', {
    params: { organizationId, specSlug },
  })
  return (
    <section class="section">
      <h2>{texts.versions}</h2>
      {!items && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
      {items?.length === 0 && <p class="quiet">{texts.noVersions}</p>}
      {items && items.length > 0 && (
        <ul class="rows">
          {items.map(({ id, createdAt }) => (
            <li key={id} class="row">
              <span class="row-title">{id}</span>
              <Time at={createdAt} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
