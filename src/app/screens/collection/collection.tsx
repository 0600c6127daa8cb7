import type { Collection } from '../../../contract/collections.ts'
import type { Space } from '../../../contract/space.ts'
import { appHref } from '../../base-path.ts'
import { useWholeList } from '../../data/list.ts'
import { useQuery } from '../../data/query.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Frame } from '../../ui/frame.tsx'
import { Icon } from '../../ui/icon.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { OrganizationFrame } from '../organization/organization-frame.tsx'
import { SpaceIcon } from '../organization/space-icon.tsx'
import { CollectionActions } from './collection-actions.tsx'
import { collectionTexts as texts } from './collection-texts.ts'
import { findCollectionPath } from './collection-tree.ts'

/** Shows the collections and spaces of a collection. */
export default function CollectionScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const collectionId = params['collectionId'] ?? ''
  const { data: collection, error, reload } = useQuery('GET /collections/{collectionId}', { params: { collectionId } })
  const all = useWholeList(collection && 'GET /orgs/{organizationId}/collections', {
    params: { organizationId: collection?.organization ?? '' },
  }).items
  const spaces = useWholeList('GET /collections/{collectionId}/spaces', { params: { collectionId } })
  if (!collection) return <CollectionPlaceholder error={error} onRetry={() => void reload()} />
  const above = findCollectionPath(all ?? [], collection)
  const below = all?.filter(({ parent }) => parent === collectionId)
  const canCreate = collection.permissions.create
  return (
    <OrganizationFrame
      organizationId={collection.organization}
      crumbs={[
        ...above.map(({ id, title }) => ({ title, path: `/collections/${id}` })),
        { title: collection.title || texts.untitled },
      ]}
    >
      <div class="screen-head">
        <h1 class="screen-title">{collection.title || texts.untitled}</h1>
        <CollectionActions collection={collection} collections={all ?? []} />
      </div>
      {collection.description !== undefined && <p class="quiet">{collection.description}</p>}
      {!spaces.items || !below ? (
        <ListPlaceholder error={spaces.error} onRetry={() => void spaces.reload()} />
      ) : spaces.items.length + below.length === 0 ? (
        <EmptyState icon="folder" title={texts.empty} actions={canCreate && <NewSpaceLink collection={collection} />}>
          {texts.emptyHint}
        </EmptyState>
      ) : (
        <ContentList collections={below} spaces={spaces.items} />
      )}
    </OrganizationFrame>
  )
}

function CollectionPlaceholder({ error, onRetry }: { error: Error | undefined; onRetry: () => void }) {
  return (
    <Frame title={texts.collection}>
      {error ? <ErrorState isWholeScreen error={error} onRetry={onRetry} /> : <Loading />}
    </Frame>
  )
}

const ListPlaceholder = ({ error, onRetry }: { error: Error | undefined; onRetry: () => void }) =>
  error ? <ErrorState error={error} onRetry={onRetry} /> : <Loading />

const NewSpaceLink = ({ collection }: { collection: Collection }) => (
  <LinkButton
    kind="primary"
    icon="plus"
    href={appHref(`/orgs/${collection.organization}/new?collection=${collection.id}`)}
  >
    {texts.newSpace}
  </LinkButton>
)

function ContentList({ collections, spaces }: { collections: readonly Collection[]; spaces: readonly Space[] }) {
  return (
    <ul class="rows section">
      {collections.map(({ id, title }) => (
        <li key={id}>
          <a class="row" href={appHref(`/collections/${id}`)}>
            <Icon name="folder" />
            <span class="row-title">{title || texts.untitled}</span>
          </a>
        </li>
      ))}
      {spaces.map(({ id, title, emoji, updatedAt }) => (
        <li key={id}>
          <a class="row" href={appHref(`/spaces/${id}`)}>
            <SpaceIcon emoji={emoji} />
            <span class="row-title">{title}</span>
            <span class="row-facts">
              <Time at={updatedAt} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}
