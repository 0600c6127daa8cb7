import { useState } from 'preact/hooks'
import type { ChangeRequest } from '../../../contract/change-request.ts'
import type { DeletedSpace } from '../../../contract/spaces.ts'
import { request } from '../../api.ts'
import { appHref } from '../../base-path.ts'
import { useList, useWholeList } from '../../data/list.ts'
import { invalidate } from '../../data/query.ts'
import { navigate } from '../../router.ts'
import { defineTexts, fillText } from '../../texts.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ItemList } from '../../ui/item-list.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { Time, formatAge } from '../../ui/time.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { changeRequestTexts } from '../change-requests/change-request-list.tsx'
import { SettingsFrame } from '../organization/settings-frame.tsx'
import { SpaceIcon } from '../organization/space-icon.tsx'

const texts = defineTexts('trash', {
  title: 'Trash',
  hint: 'Deleted spaces can be restored for 7 days. Their change requests, comments and history come back with them.',
  spaces: 'Spaces',
  changeRequests: 'Archived change requests',
  reopen: 'Reopen',
  reopened: '#{number} was reopened.',
  content: 'Pages and files',
  contentHint:
    'Deleted pages, files and reusable contents are restored from the history of their space, with a change request.',
  space: 'Space',
  openHistory: 'Open the history',
  final: 'Sites, collections and teams cannot be restored. The spaces of a deleted collection are listed above.',
  empty: 'The trash is empty',
  emptyHint: 'Deleted spaces appear here.',
  restore: 'Restore',
  restored: '{title} was restored.',
  open: 'Open',
  deleted: 'Deleted',
  left: 'Removed permanently {time}',
})

/** Restores deleted spaces and archived change requests, and links to the screens that restore deleted content. */
export default function TrashScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const organizationId = params['organizationId'] ?? ''
  return (
    <SettingsFrame organizationId={organizationId} crumbs={[{ title: texts.title }]} needs="admin">
      {() => (
        <>
          <h1 class="screen-title">{texts.title}</h1>
          <section class="section">
            <h2>{texts.spaces}</h2>
            <p class="quiet org-note">{texts.hint}</p>
            <DeletedSpaces organizationId={organizationId} />
          </section>
          <ArchivedChangeRequests organizationId={organizationId} />
          <ContentHistory organizationId={organizationId} />
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

/** Lists change requests that were archived without being merged; renders nothing if there are none. */
function ArchivedChangeRequests({ organizationId }: { organizationId: string }) {
  const list = useList('GET /orgs/{organizationId}/change-requests', {
    params: { organizationId },
    query: { status: ['archived'], limit: 20 },
  })
  if (list.items?.length === 0) return null
  return (
    <section class="section">
      <h2>{texts.changeRequests}</h2>
      <ItemList
        list={list}
        keyOf={({ id }) => id}
        empty={null}
        renderItem={(changeRequest) => <ArchivedRow organizationId={organizationId} changeRequest={changeRequest} />}
      />
    </section>
  )
}

function ArchivedRow({ organizationId, changeRequest }: { organizationId: string; changeRequest: ChangeRequest }) {
  const { id, number, subject, space: spaceId, updatedAt, permissions } = changeRequest
  const path = `/spaces/${spaceId}/change-requests/${number}`
  const [reopen, isReopening] = useAction(async () => {
    await request('PATCH /spaces/{spaceId}/change-requests/{changeRequestId}', {
      params: { spaceId, changeRequestId: id },
      body: { status: 'open' },
    })
    invalidate(`/orgs/${organizationId}/change-requests`, `/spaces/${spaceId}/change-requests`)
    showToast(fillText(texts.reopened, { number }), { action: { title: texts.open, onSelect: () => navigate(path) } })
  })
  return (
    <div class="row">
      <Icon name="git-pull-request" />
      <a class="row-title" href={appHref(path)}>
        #{number} {subject || changeRequestTexts.untitled}
      </a>
      <span class="row-facts">
        <Time at={updatedAt} />
      </span>
      {permissions.edit && (
        <Button isBusy={isReopening} onClick={() => void reopen()}>
          {texts.reopen}
        </Button>
      )}
    </div>
  )
}

/** Links to the history of a space, which contains deleted pages and files. */
function ContentHistory({ organizationId }: { organizationId: string }) {
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const { items: spaces } = useWholeList('GET /orgs/{organizationId}/spaces', {
    params: { organizationId },
  })
  const items = spaces ?? []
  const spaceId = chosen ?? items[0]?.id
  return (
    <section class="section">
      <h2>{texts.content}</h2>
      <p class="quiet org-note">{texts.contentHint}</p>
      {spaceId !== undefined && (
        <div class="trash-history">
          <SelectField
            label={texts.space}
            value={spaceId}
            options={items.map(({ id, title }) => ({ value: id, title }))}
            onChange={setChosen}
          />
          <LinkButton href={appHref(`/spaces/${spaceId}/history`)} icon="history">
            {texts.openHistory}
          </LinkButton>
        </div>
      )}
      <p class="quiet org-note">{texts.final}</p>
    </section>
  )
}
