import type { Site, SiteSpace } from '../../../../contract/site.ts'
import { appHref } from '../../../base-path.ts'
import { useQuery } from '../../../data/query.ts'
import { countText } from '../../../texts.ts'
import { Icon } from '../../../ui/icon.tsx'
import { overviewTexts as texts } from './overview-texts.ts'

interface SiteProblemsProps {
  organizationId: string
  site: Site
  siteSpaces: readonly SiteSpace[]
}

/** Maximum number of spaces whose links are checked. */
const maxCheckedSpaces = 10

/** Lists reasons why readers cannot use the site as intended, each with a link to the screen that fixes it. */
export function SiteProblems({ organizationId, site, siteSpaces }: SiteProblemsProps) {
  const params = { organizationId, siteId: site.id }
  const path = `/orgs/${organizationId}/sites/${site.id}`
  const { visibility, permissions } = site
  const { data: links } = useQuery(
    permissions.edit && visibility === 'share-link'
      ? 'GET /orgs/{organizationId}/sites/{siteId}/share-links'
      : undefined,
    { params, query: { limit: 100 } },
  )
  const { data: auth } = useQuery(
    permissions.admin && visibility === 'visitor-auth'
      ? 'GET /orgs/{organizationId}/sites/{siteId}/publishing/auth'
      : undefined,
    { params },
  )
  if (!permissions.edit) return null
  const problems = [
    siteSpaces.length === 0 && { text: texts.problemNoSpaces, path: `${path}/structure` },
    siteSpaces.length > 0 &&
      siteSpaces.every(({ draft }) => draft) && { text: texts.problemAllHidden, path: `${path}/structure` },
    links && !links.items.some(({ active }) => active) && { text: texts.problemNoShareLink, path: `${path}/access` },
    auth && auth.fallbackURL === undefined && { text: texts.problemNoFallback, path: `${path}/access` },
  ].filter((problem) => typeof problem === 'object')
  return (
    <ul class="site-problems" aria-label={texts.problems}>
      {problems.map(({ text, path: target }) => (
        <Problem key={text} text={text} path={target} />
      ))}
      {siteSpaces.slice(0, maxCheckedSpaces).map(({ id, title, space }) => (
        <BrokenLinks key={id} title={title} spaceId={space.id} />
      ))}
    </ul>
  )
}

function BrokenLinks({ title, spaceId }: { title: string; spaceId: string }) {
  const { data } = useQuery('GET /spaces/{spaceId}/links', {
    params: { spaceId },
    query: { status: 'broken', limit: 1 },
  })
  const count = data?.stats.broken.total ?? 0
  if (count === 0) return null
  return <Problem text={countText(texts.problemLinks, count, { title })} path={`/spaces/${spaceId}/links`} />
}

const Problem = ({ text, path }: { text: string; path: string }) => (
  <li>
    <Icon name="warning" />
    <span>{text}</span>
    <a href={appHref(path)}>{texts.fix}</a>
  </li>
)
