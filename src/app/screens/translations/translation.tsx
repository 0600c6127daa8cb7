import type { Translation } from '../../../contract/translation.ts'
import { useList } from '../../data/list.ts'
import { useQuery } from '../../data/query.ts'
import { countText, fillText, formatNumber } from '../../texts.ts'
import { Fact, FactList } from '../../ui/facts.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { usePolling } from '../new-space/use-polling.ts'
import { OrganizationFrame } from '../organization/organization-frame.tsx'
import { Findings } from './findings.tsx'
import { nameOfLanguage } from './languages.ts'
import { RunList } from './run-list.tsx'
import { RunState } from './run-state.tsx'
import { TranslationBadge } from './status-badge.tsx'
import { TranslationActions } from './translation-actions.tsx'
import { translationTexts as texts } from './translation-texts.ts'
import { useSpaces } from '../organization/use-spaces.ts'

/** A translation: its runs with their progress, the texts to check, and its usage. */
export default function TranslationScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { organizationId = '', translationId = '' } = params
  const input = { params: { organizationId, translationId } }
  const { data, error, reload } = useQuery('GET /orgs/{organizationId}/translations/{translationId}', input)
  const runs = useList('GET /orgs/{organizationId}/translations/{translationId}/runs', {
    ...input,
    query: { limit: 20 },
  })
  const latest = runs.items?.[0]
  const isActive = latest?.status === 'pending' || latest?.status === 'running'
  usePolling(isActive || data?.status === 'running', async () => {
    await Promise.all([reload(), runs.reload()])
  })
  const source = useSpaces(organizationId).get(data?.source.space ?? '')?.title ?? texts.unknownSpace
  const title = data ? fillText(texts.to, { source, language: nameOfLanguage(data.language) }) : texts.title
  return (
    <OrganizationFrame
      organizationId={organizationId}
      crumbs={[{ title: texts.title, path: `/orgs/${organizationId}/translations` }, { title }]}
    >
      {!data && (error ? <ErrorState isWholeScreen error={error} onRetry={() => void reload()} /> : <Loading />)}
      {data && (
        <>
          <div class="screen-head">
            <h1 class="screen-title">{title}</h1>
            <TranslationActions organizationId={organizationId} translation={data} isActive={isActive} />
          </div>
          <p class="toolbar">
            <TranslationBadge translation={data} />
          </p>
          <RunState organizationId={organizationId} translation={data} run={isActive ? latest : undefined} />
          <Findings organizationId={organizationId} translation={data} />
          <Usage translation={data} />
          <RunList list={runs} resultSpace={data.result?.space} />
        </>
      )}
    </OrganizationFrame>
  )
}

function Usage({ translation: { stats, limits } }: { translation: Translation }) {
  const { run, month } = limits
  const shownLimits = [
    ...(run ? [fillText(texts.perRun, { count: formatNumber(run) })] : []),
    ...(month ? [fillText(texts.perMonth, { count: formatNumber(month) })] : []),
  ]
  return (
    <section class="section">
      <h2>{texts.usage}</h2>
      <FactList>
        <Fact name={texts.sentInTotal}>
          {[
            countText(texts.pages, stats.totalPages),
            countText(texts.words, stats.totalWords),
            countText(texts.characters, stats.totalCharacters),
          ].join(' · ')}
        </Fact>
        <Fact name={texts.lastRun}>
          {[countText(texts.pages, stats.latestPages), countText(texts.words, stats.latestWords)].join(' · ')}
        </Fact>
        <Fact name={texts.limits}>{shownLimits.join(' · ') || texts.noLimits}</Fact>
      </FactList>
    </section>
  )
}
