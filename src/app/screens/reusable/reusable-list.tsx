import { useState } from 'preact/hooks'
import { appHref } from '../../base-path.ts'
import { useList } from '../../data/list.ts'
import { countText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { LoadMore } from '../../ui/item-list.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { ContentFrame } from '../space/content-frame.tsx'
import { NameDialog } from '../space/rename-dialog.tsx'
import type { ContentTarget } from '../space/send-changes.ts'
import { ReusableMenu, createReusableContent } from './reusable-actions.tsx'
import { reusableTexts as texts } from './reusable-texts.ts'

/** The reusable contents of a space or of a change request. */
export default function ReusableListScreen({ params }: { params: Readonly<Record<string, string>> }) {
  return (
    <ContentFrame params={params} title={texts.title} actions={(target) => <CreateButton target={target} />}>
      {(target, canEdit) => <ReusableList target={target} canEdit={canEdit} />}
    </ContentFrame>
  )
}

function CreateButton({ target }: { target: ContentTarget }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button kind="primary" icon="plus" onClick={() => setOpen(true)}>
        {texts.create}
      </Button>
      {isOpen && (
        <NameDialog
          title={texts.create}
          label={texts.name}
          hint={texts.nameHint}
          action={texts.add}
          onSave={(title) => createReusableContent(target, title)}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

function ReusableList({ target, canEdit }: { target: ContentTarget; canEdit: boolean }) {
  const { items, error, reload, ...more } = useReusableContents(target)
  if (!items) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />
  if (items.length === 0)
    return (
      <EmptyState icon="stack" title={texts.empty} actions={canEdit && <CreateButton target={target} />}>
        {texts.emptyHint}
      </EmptyState>
    )
  const { space, changeRequest } = target
  const path = `/spaces/${space.id}${changeRequest === undefined ? '' : `/change-requests/${changeRequest}`}/reusable`
  return (
    <>
      <ul class="rows">
        {items.map((content) => (
          <li key={content.id} class="row">
            <a class="row-title row-link" href={appHref(`${path}/${content.id}`)}>
              {content.title}
            </a>
            <span class="row-facts">{content.uses === 0 ? texts.unused : countText(texts.uses, content.uses)}</span>
            <ReusableMenu target={target} content={content} canEdit={canEdit} />
          </li>
        ))}
      </ul>
      <LoadMore list={more} />
    </>
  )
}

function useReusableContents({ space, changeRequest }: ContentTarget) {
  const query = { limit: 100, metadata: false }
  const live = useList(changeRequest === undefined ? 'GET /spaces/{spaceId}/content/reusable-contents' : undefined, {
    params: { spaceId: space.id },
    query,
  })
  const proposed = useList(
    changeRequest === undefined
      ? undefined
      : 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/reusable-contents',
    { params: { spaceId: space.id, changeRequestId: changeRequest ?? '' }, query },
  )
  return changeRequest === undefined ? live : proposed
}
