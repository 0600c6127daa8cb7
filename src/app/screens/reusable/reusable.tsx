import type { Space } from '../../../contract/space.ts'
import { useQuery } from '../../data/query.ts'
import { RenderedContent } from '../../ui/rendered-content.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { UsesSection, useReusableContentUses } from '../links/uses.tsx'
import { EditButton } from '../space/edit-button.tsx'
import { SpaceFrame } from '../space/space-frame.tsx'
import { ReusableMenu } from './reusable-actions.tsx'
import { reusableTexts as texts } from './reusable-texts.ts'

/** A live reusable content as readers see it, with its uses. */
export default function ReusableScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { spaceId = '', reusableContentId = '' } = params
  const { data } = useQuery('GET /spaces/{spaceId}/content/reusable-contents/{reusableContentId}/html', {
    params: { spaceId, reusableContentId },
  })
  return (
    <SpaceFrame
      spaceId={spaceId}
      crumbs={[{ title: texts.title, path: `/spaces/${spaceId}/reusable` }, ...(data ? [{ title: data.title }] : [])]}
    >
      {(space) => <ReusableView key={reusableContentId} space={space} id={reusableContentId} />}
    </SpaceFrame>
  )
}

function ReusableView({ space, id }: { space: Space; id: string }) {
  const { data, error, reload } = useQuery('GET /spaces/{spaceId}/content/reusable-contents/{reusableContentId}/html', {
    params: { spaceId: space.id, reusableContentId: id },
  })
  const target = { space, changeRequest: undefined }
  const uses = useReusableContentUses(target, id)
  if (!data) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading lines={6} />
  const canEdit = space.permissions.edit
  return (
    <article class="read-page">
      <header class="content-head">
        <h1 class="screen-title">{data.title}</h1>
        <div class="toolbar">
          {canEdit && <EditButton space={space} kind="reusable-content" pageId={id} />}
          <ReusableMenu target={target} content={{ id, title: data.title }} canEdit={canEdit} kind="secondary" />
        </div>
      </header>
      {data.html === '' ? (
        <EmptyState icon="stack" title={texts.emptyContent} />
      ) : (
        <RenderedContent page={data} onIncomplete={() => void reload()} />
      )}
      <UsesSection target={target} uses={uses} />
    </article>
  )
}
