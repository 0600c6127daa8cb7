import type { DeletedSpace } from '../../../contract/spaces.ts'
import { request } from '../../api.ts'
import { useList } from '../../data/list.ts'
import { invalidate } from '../../data/query.ts'
import { navigate } from '../../router.ts'
import { defineTexts, fillText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { ItemList } from '../../ui/item-list.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { Time, formatAge } from '../../ui/time.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { SettingsFrame } from '../organization/settings-frame.tsx'
import { SpaceIcon } from '../organization/space-icon.tsx'

const texts = defineTexts('trash', {
  title: 'Trash',
  hint: 'Deleted spaces can be restored for 7 days. Their change requests, comments and history come back with them.',
  empty: 'The trash is empty',
  emptyHint: 'Deleted spaces appear here.',
  restore: 'Restore',
  restored: '{title} was restored.',
  open: 'Open',
  deleted: 'Deleted',
  left: 'Removed permanently {time}',
})

/** Lists deleted spaces, and restores them. */
export default function TrashScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const organizationId = params['organizationId'] ?? ''
  return (
    <SettingsFrame organizationId={organizationId} crumbs={[{ title: texts.title }]} needs="admin">
      {() => (
        <>
          <h1 class="screen-title">{texts.title}</h1>
          <p class="quiet org-note">{texts.hint}</p>
          <DeletedSpaces organizationId={organizationId} />
        </>
      )}
    </SettingsFrame>
  )
}

function DeletedSpaces({ organizationId }: { organizationId: string }) {
  const list = useList('GET /orgs/{organizationId}/deleted-spaces', {
    params: { organizationId },
    query: { limit: 100 },
  })
  return (
    <ItemList
      list={list}
      keyOf={({ space }) => space.id}
      empty={
        <EmptyState icon="trash" title={texts.empty}>
          {texts.emptyHint}
        </EmptyState>
      }
      renderItem={(item) => <TrashRow organizationId={organizationId} item={item} />}
    />
  )
}

function TrashRow({ organizationId, item }: { organizationId: string; item: DeletedSpace }) {
  const { space, deletedAt, purgeAt } = item
  const [restore, isRestoring] = useAction(async () => {
    await request('POST /spaces/{spaceId}/restore', { params: { spaceId: space.id } })
    invalidate(`/orgs/${organizationId}`)
    showToast(fillText(texts.restored, { title: space.title }), {
      action: { title: texts.open, onSelect: () => navigate(`/spaces/${space.id}`) },
    })
  })
  return (
    <div class="row">
      <SpaceIcon emoji={space.emoji} />
      <span class="row-title row-title-with-text">
        {space.title}
        <span class="row-text">{fillText(texts.left, { time: formatAge(purgeAt) })}</span>
      </span>
      <span class="row-facts">
        <span>
          {texts.deleted} <Time at={deletedAt} />
        </span>
      </span>
      <Button isBusy={isRestoring} onClick={() => void restore()}>
        {texts.restore}
      </Button>
    </div>
  )
}
