import type { ContentLocation } from '../../../contract/links.ts'
import { useList } from '../../data/list.ts'
import { useQuery } from '../../data/query.ts'
import { address, setQuery } from '../../router.ts'
import { countText, defineTexts } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { LoadMore } from '../../ui/item-list.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { SpaceFrame } from '../space/space-frame.tsx'
import { findPage } from '../space/tree-moves.ts'
import { usePages } from '../space/use-pages.ts'
import { LocationList } from './location-list.tsx'

const texts = defineTexts('links', {
  title: 'Links',
  show: 'Show',
  all: 'All links',
  onlyBroken: 'Broken links',
  broken: 'Broken',
  ok: 'Works',
  'in-app': 'Only for members',
  noBroken: 'No link is broken',
  none: 'The pages of this space contain no links',
  brokenCount: { one: '{count} link is broken', other: '{count} links are broken' },
  file: 'File',
  missingPage: 'A page that does not exist',
})

const tones = { broken: 'danger', ok: 'success', 'in-app': 'warning' } as const

/** All links of a space with their status. */
export default function LinksScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const spaceId = params['spaceId'] ?? ''
  return (
    <SpaceFrame spaceId={spaceId} crumbs={[{ title: texts.title }]}>
      {() => (
        <>
          <h1 class="screen-title">{texts.title}</h1>
          <LinkReport spaceId={spaceId} />
        </>
      )}
    </SpaceFrame>
  )
}

function LinkReport({ spaceId }: { spaceId: string }) {
  const status = address.value.query.get('status') === 'all' ? 'all' : 'broken'
  const input = {
    params: { spaceId },
    query: { limit: 100, ...(status === 'broken' && { status: 'broken' }) },
  }
  const list = useList('GET /spaces/{spaceId}/links', input)
  const stats = useQuery('GET /spaces/{spaceId}/links', input).data?.stats
  const { data: tree } = usePages(spaceId)
  const { items, error, reload } = list
  const describe = (target: ContentLocation): string => {
    if (target.kind === 'url') return target.url
    if (target.kind === 'page') return findPage(tree?.pages ?? [], target.page)?.title ?? texts.missingPage
    return target.kind === 'file' ? texts.file : target.kind
  }
  return (
    <>
      <div class="toolbar">
        <SelectField
          label={texts.show}
          value={status}
          options={[
            { value: 'broken', title: texts.onlyBroken },
            { value: 'all', title: texts.all },
          ]}
          onChange={(value) => setQuery('status', value === 'all' ? 'all' : undefined)}
        />
      </div>
      {stats && stats.broken.total > 0 && <p class="quiet">{countText(texts.brokenCount, stats.broken.total)}</p>}
      {!items && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
      {items?.length === 0 && <EmptyState icon="link" title={status === 'broken' ? texts.noBroken : texts.none} />}
      {items && items.length > 0 && (
        <ul class="rows">
          {items.map((link, index) => (
            <li key={index} class="row link-row">
              <Badge tone={tones[link.status]}>{texts[link.status]}</Badge>
              <span class="row-title" title={describe(link.targetReference)}>
                {describe(link.targetReference)}
              </span>
              <LocationList spaceId={spaceId} locations={link.locationReferences ?? []} />
            </li>
          ))}
        </ul>
      )}
      <LoadMore list={list} />
    </>
  )
}
