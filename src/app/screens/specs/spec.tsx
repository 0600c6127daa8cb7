import { useEffect, useRef } from 'preact/hooks'
import type { OpenAPISpec } from '../../../contract/openapi-spec.ts'
import { useQuery } from '../../data/query.ts'
import { CopyField } from '../../ui/copy.tsx'
import { Fact, FactList } from '../../ui/facts.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { ProgressHead } from '../new-space/progress.tsx'
import { usePolling } from '../new-space/use-polling.ts'
import { OrganizationFrame } from '../organization/organization-frame.tsx'
import { SpecActions } from './spec-actions.tsx'
import { SpecBadge } from './spec-badge.tsx'
import { SpecProblems } from './spec-problems.tsx'
import { specTexts as texts } from './spec-texts.ts'
import { SpecUses } from './spec-uses.tsx'
import { SpecVersions } from './spec-versions.tsx'

/** An API specification: its state, its problems, its uses, and its versions. */
export default function SpecScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { organizationId = '', specSlug = '' } = params
  const { data, error, reload } = useQuery('GET /orgs/{organizationId}/openapi/{specSlug}', {
    params: { organizationId, specSlug },
  })
  usePolling(data !== undefined && data.processingState !== 'complete', reload)
  useResultMessage(data)
  return (
    <OrganizationFrame
      organizationId={organizationId}
      crumbs={[{ title: texts.title, path: `/orgs/${organizationId}/specs` }, { title: data?.slug ?? specSlug }]}
    >
      {!data && (error ? <ErrorState isWholeScreen error={error} onRetry={() => void reload()} /> : <Loading />)}
      {data && (
        <>
          <div class="screen-head">
            <h1 class="screen-title">{data.slug}</h1>
            {data.permissions.edit && <SpecActions organizationId={organizationId} spec={data} />}
          </div>
          <p class="toolbar">
            <SpecBadge spec={data} />
            <span class="quiet">{texts[data.visibility]}</span>
          </p>
          {data.processingState !== 'complete' && (
            <ProgressHead icon="progress" title={texts.processing} done={0} total={0} />
          )}
          <SpecProblems spec={data} />
          <SpecFacts spec={data} />
          <SpecUses organizationId={organizationId} spec={data} />
          <SpecVersions organizationId={organizationId} spec={data} />
        </>
      )}
    </OrganizationFrame>
  )
}

/** Shows a message when a source was processed while the screen is open. */
function useResultMessage(spec: OpenAPISpec | undefined): void {
  const before = useRef<OpenAPISpec | undefined>(undefined)
  useEffect(() => {
    const wasProcessing = before.current && before.current.processingState !== 'complete'
    if (wasProcessing && spec?.processingState === 'complete' && spec.lastProcessErrorCode === undefined)
      showToast(before.current?.lastVersion === spec.lastVersion ? texts.unchanged : texts.live)
    before.current = spec
  }, [spec])
}

function SpecFacts({ spec }: { spec: OpenAPISpec }) {
  const { sourceURL, lastProcessedAt, urls } = spec
  return (
    <>
      <FactList>
        <Fact name={texts.source}>
          {sourceURL === undefined ? (
            texts.sentText
          ) : (
            <a href={sourceURL} target="_blank" rel="noopener">
              {sourceURL}
            </a>
          )}
        </Fact>
        {lastProcessedAt !== undefined && (
          <Fact name={texts.updated}>
            <Time at={lastProcessedAt} />
          </Fact>
        )}
      </FactList>
      {urls.published !== undefined && <CopyField label={texts.publicUrl} value={urls.published} />}
    </>
  )
}
