import type { ContentLocation } from '../../../contract/links.ts'
import type { OpenAPISpec } from '../../../contract/openapi-spec.ts'
import { appHref } from '../../base-path.ts'
import { useList } from '../../data/list.ts'
import { useQuery } from '../../data/query.ts'
import { fillText } from '../../texts.ts'
import { LoadMore } from '../../ui/item-list.tsx'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { LocationList } from '../links/location-list.tsx'
import { specTexts as texts } from './spec-texts.ts'

/** Lists the pages that show a specification, by space. */
export function SpecUses({ organizationId, spec }: { organizationId: string; spec: OpenAPISpec }) {
  const { items, error, reload, ...more } = useList('GET /orgs/{organizationId}/openapi/{specSlug}/backlinks', {
    params: { organizationId, specSlug: spec.slug },
    query: { limit: 100 },
  })
  const bySpace = new Map<string, ContentLocation[]>()
  for (const location of items ?? []) {
    if (!('space' in location)) continue
    bySpace.set(location.space, [...(bySpace.get(location.space) ?? []), location])
  }
  return (
    <section class="section">
      <h2>{texts.uses}</h2>
      {!items && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading lines={2} />)}
      {items?.length === 0 && <p class="quiet">{fillText(texts.noUses, { name: spec.slug })}</p>}
      {items && items.length > 0 && (
        <ul class="rows">
          {[...bySpace].map(([spaceId, locations]) => (
            <li key={spaceId}>
              <SpaceUses spaceId={spaceId} locations={locations} />
            </li>
          ))}
        </ul>
      )}
      <LoadMore list={more} />
    </section>
  )
}

function SpaceUses({ spaceId, locations }: { spaceId: string; locations: readonly ContentLocation[] }) {
  const { data: space } = useQuery('GET /spaces/{spaceId}', { params: { spaceId } })
  return (
    <div class="row link-row">
      <a class="row-title row-link" href={appHref(`/spaces/${spaceId}`)}>
        {space?.title ?? ''}
      </a>
      <LocationList spaceId={spaceId} locations={locations} />
    </div>
  )
}
