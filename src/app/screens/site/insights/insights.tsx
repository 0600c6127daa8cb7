import type { Site } from '../../../../contract/site.ts'
import { appHref } from '../../../base-path.ts'
import { useQuery } from '../../../data/query.ts'
import { address } from '../../../router.ts'
import { countText, fillText, formatNumber } from '../../../texts.ts'
import { toCsv } from '../../../ui/csv.ts'
import { downloadText } from '../../../ui/download.ts'
import { Menu } from '../../../ui/menu.tsx'
import { EmptyState, ErrorState, Loading } from '../../../ui/states.tsx'
import { SiteFrame } from '../site-frame.tsx'
import { Chart, formatDay } from './chart.tsx'
import { CountTable } from './count-table.tsx'
import { FeedbackList } from './feedback-list.tsx'
import { insightsTexts as texts } from './insights-texts.ts'
import { type PageFilter, periods, readPageFilter, readPeriod } from './period.ts'
import { shortenPath } from './shorten-path.ts'
import { type SiteInsights, useInsights } from './use-insights.ts'

/** Insights of a site: views, pages, searches, ratings and referrers of a period. */
export default function SiteInsightsScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { organizationId = '', siteId = '' } = params
  return (
    <SiteFrame organizationId={organizationId} siteId={siteId} screen="insights">
      {(site) => <Insights organizationId={organizationId} site={site} />}
    </SiteFrame>
  )
}

function Insights({ organizationId, site }: { organizationId: string; site: Site }) {
  const page = readPageFilter()
  const period = readPeriod()
  const { insights, error, reload } = useInsights({ organizationId, siteId: site.id }, period, page)
  return (
    <>
      <div class="screen-head">
        <h1 class="screen-title">{texts.title}</h1>
        <span class="screen-actions">
          <PeriodLinks />
          {insights && <DownloadMenu site={site} insights={insights} />}
        </span>
      </div>
      {page && <PageFilterLine filter={page} />}
      {error && <ErrorState error={error} onRetry={reload} />}
      {!insights && !error && <Loading lines={8} />}
      {insights && !error && !hasEvents(insights) && (
        <EmptyState icon="eye" title={texts.empty}>
          {site.published ? texts.emptyHint : texts.unpublished}
        </EmptyState>
      )}
      {insights && !error && hasEvents(insights) && (
        <InsightsTables organizationId={organizationId} site={site} insights={insights} page={page} />
      )}
    </>
  )
}

const hasEvents = ({ totals, searches, ratings }: SiteInsights): boolean =>
  totals.views > 0 || searches.length > 0 || ratings.length > 0

/** Links to the periods; the chosen one is part of the address. */
function PeriodLinks() {
  const { path, query } = address.value
  const current = readPeriod()
  return (
    <nav class="period-links" aria-label={texts.range}>
      {periods.map((days) => {
        const parameters = new URLSearchParams(query)
        parameters.set('days', String(days))
        return (
          <a key={days} href={appHref(`${path}?${parameters}`)} aria-current={days === current ? 'page' : undefined}>
            {countText(texts.days, days)}
          </a>
        )
      })}
    </nav>
  )
}

function PageFilterLine({ filter: { space, page } }: { filter: PageFilter }) {
  const { data, error } = useQuery('GET /spaces/{spaceId}/content/page/{pageId}', {
    params: { spaceId: space, pageId: page },
  })
  return (
    <p class="toolbar">
      <span>{fillText(texts.onlyPage, { title: data?.title ?? (error ? texts.deletedPage : '…') })}</span>
      <a href={appHref(`${address.value.path}?days=${readPeriod()}`)}>{texts.allPages}</a>
    </p>
  )
}

const basePathOf = ({ urls: { published } }: Site): string =>
  published === undefined ? '' : new URL(published).pathname

interface InsightsTablesProps {
  organizationId: string
  site: Site
  insights: SiteInsights
  page: PageFilter | undefined
}

function InsightsTables({ organizationId, site, insights, page }: InsightsTablesProps) {
  const { totals, days, pages, searches, missedSearches, referrers, ratings } = insights
  const basePath = basePathOf(site)
  return (
    <>
      <dl class="figures">
        {(['views', 'visitors', 'searches', 'ratings'] as const).map((name) => (
          <div key={name}>
            <dt>{texts[name]}</dt>
            <dd>{formatNumber(totals[name])}</dd>
          </div>
        ))}
      </dl>
      <section class="section">
        <h2>{texts.overTime}</h2>
        <Chart days={days} />
        <details class="chart-table">
          <summary>{texts.asTable}</summary>
          <CountTable
            title={texts.overTime}
            columns={[texts.day, texts.views, texts.visitors]}
            rows={days.map(({ day, views, visitors }) => ({
              key: day,
              title: formatDay(day),
              values: [views, visitors],
            }))}
          />
        </details>
      </section>
      <div class="count-tables">
        {!page && (
          <CountTable
            title={texts.pages}
            columns={[texts.page, texts.views, texts.visitors]}
            rows={pages.map(({ path, space, id, views, visitors }) => ({
              key: path,
              title:
                space !== undefined && id !== undefined ? (
                  <a href={appHref(`${address.value.path}?days=${readPeriod()}&space=${space}&page=${id}`)}>
                    {shortenPath(path, basePath)}
                  </a>
                ) : (
                  shortenPath(path, basePath)
                ),
              values: [views, visitors],
            }))}
          />
        )}
        <CountTable
          title={texts.noSearchResults}
          hint={texts.noSearchResultsHint}
          columns={[texts.query, texts.count]}
          rows={missedSearches.map(({ title, count }) => ({ key: title, title, values: [count] }))}
        />
        <CountTable
          title={texts.topSearches}
          columns={[texts.query, texts.count]}
          rows={searches.map(({ title, count }) => ({ key: title, title, values: [count] }))}
        />
        <CountTable
          title={texts.referrers}
          columns={[texts.referrer, texts.views]}
          rows={referrers.map(({ title, count }) => ({ key: title, title, values: [count] }))}
        />
        <CountTable
          title={texts.ratings}
          columns={[texts.page, texts.good, texts.ok, texts.bad]}
          rows={ratings.map(({ path, good, ok, bad }) => ({
            key: path,
            title: shortenPath(path, basePath),
            values: [good, ok, bad],
          }))}
        />
      </div>
      <FeedbackList organizationId={organizationId} siteId={site.id} basePath={basePath} page={page} />
    </>
  )
}

const toCells = (rows: SiteInsights['searches']) => rows.map(({ title, count }) => [title, count])

function DownloadMenu({ site, insights }: { site: Site; insights: SiteInsights }) {
  const { days, pages, searches, missedSearches, referrers, ratings } = insights
  const item = (title: string, columns: readonly string[], rows: readonly (readonly (string | number)[])[]) => ({
    title,
    onSelect: () => {
      const name = `${site.basename}-${title.toLowerCase().replaceAll(' ', '-')}.csv`
      downloadText(name, 'text/csv', toCsv([columns, ...rows]))
    },
  })
  return (
    <Menu
      kind="secondary"
      icon="download"
      items={[
        item(
          texts.overTime,
          [texts.day, texts.views, texts.visitors],
          days.map(({ day, views, visitors }) => [day.slice(0, 10), views, visitors]),
        ),
        item(
          texts.pages,
          [texts.page, texts.views, texts.visitors],
          pages.map(({ path, views, visitors }) => [shortenPath(path, basePathOf(site)), views, visitors]),
        ),
        item(texts.noSearchResults, [texts.query, texts.count], toCells(missedSearches)),
        item(texts.topSearches, [texts.query, texts.count], toCells(searches)),
        item(texts.referrers, [texts.referrer, texts.views], toCells(referrers)),
        item(
          texts.ratings,
          [texts.page, texts.good, texts.ok, texts.bad],
          ratings.map(({ path, good, ok, bad }) => [shortenPath(path, basePathOf(site)), good, ok, bad]),
        ),
      ]}
    >
      {texts.download}
    </Menu>
  )
}
