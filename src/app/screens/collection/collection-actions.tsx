import { useSignal } from '@preact/signals'
import type { Collection } from '../../../contract/collections.ts'
import { request } from '../../api.ts'
import { appHref } from '../../base-path.ts'
import { deleteShown, invalidate } from '../../data/query.ts'
import { navigate } from '../../router.ts'
import { fillText } from '../../texts.ts'
import { confirmAction } from '../../ui/confirm.ts'
import { Menu } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import { useAction } from '../../ui/use-action.ts'
import { AccessDialog } from '../access/access-dialog.tsx'
import { accessTexts } from '../access/access-texts.ts'
import { MoveDialog, NameDialog } from './collection-dialogs.tsx'
import { collectionTexts as texts } from './collection-texts.ts'
import { findNestedIds } from './collection-tree.ts'

interface CollectionActionsProps {
  collection: Collection
  /** All collections of the organization that the user can see. */
  collections: readonly Collection[]
}

/** Actions of a collection that the user may take. */
export function CollectionActions({ collection, collections }: CollectionActionsProps) {
  const open = useSignal<'rename' | 'new' | 'move' | 'access' | undefined>(undefined)
  const close = () => (open.value = undefined)
  const { id, organization, permissions, title, parent } = collection
  const [remove] = useAction(() => deleteCollection(collection))
  if (!permissions.create && !permissions.admin) return null
  return (
    <>
      <Menu
        label={uiTexts.more}
        icon="dots"
        kind="secondary"
        items={[
          permissions.create && {
            title: texts.newSpace,
            icon: 'plus',
            href: appHref(`/orgs/${organization}/new?collection=${id}`),
          },
          permissions.create && {
            title: texts.newCollection,
            icon: 'folder-plus',
            onSelect: () => (open.value = 'new'),
          },
          permissions.admin && { title: texts.rename, icon: 'edit', onSelect: () => (open.value = 'rename') },
          permissions.admin && { title: accessTexts.title, icon: 'eye', onSelect: () => (open.value = 'access') },
          permissions.create && { title: texts.move, icon: 'arrows-move', onSelect: () => (open.value = 'move') },
          permissions.create && {
            title: texts.remove,
            icon: 'trash',
            isDangerous: true,
            startsGroup: true,
            onSelect: () => void remove(),
          },
        ]}
      />
      {open.value === 'rename' && (
        <NameDialog
          title={texts.rename}
          action={texts.save}
          name={title}
          description={collection.description ?? ''}
          onClose={close}
          onSave={async (fields) => {
            await request('PATCH /collections/{collectionId}', { params: { collectionId: id }, body: fields })
            invalidateCollections(collection)
          }}
        />
      )}
      {open.value === 'new' && (
        <NameDialog
          title={texts.newCollection}
          action={texts.create}
          name=""
          onClose={close}
          onSave={async (fields) => {
            const created = await request('POST /orgs/{organizationId}/collections', {
              params: { organizationId: organization },
              body: { title: fields.title, parent: id },
            })
            invalidateCollections(collection)
            navigate(`/collections/${created.id}`)
          }}
        />
      )}
      {open.value === 'access' && (
        <AccessDialog
          target={{ kind: 'collection', id, organizationId: organization, title: title || texts.untitled }}
          onClose={close}
        />
      )}
      {open.value === 'move' && (
        <MoveDialog
          organizationId={organization}
          parent={parent}
          excluded={findNestedIds(collections, id)}
          onClose={close}
          onMove={async (target) => {
            await moveCollection(collection, target)
            showToast(texts.moved, {
              action: { title: texts.undo, onSelect: () => void moveCollection(collection, parent ?? null) },
            })
          }}
        />
      )}
    </>
  )
}

const invalidateCollections = ({ id, organization }: Collection): void =>
  invalidate(`/collections/${id}`, `/orgs/${organization}/collections`)

async function moveCollection(collection: Collection, parent: string | null): Promise<void> {
  await request('POST /collections/{collectionId}/move', { params: { collectionId: collection.id }, body: { parent } })
  invalidateCollections(collection)
}

async function deleteCollection(collection: Collection): Promise<void> {
  const isConfirmed = await confirmAction({
    title: fillText(texts.removeTitle, { title: collection.title || texts.untitled }),
    text: texts.removeText,
    action: texts.remove,
    isDangerous: true,
  })
  if (!isConfirmed) return
  await deleteShown(`/collections/${collection.id}`, () =>
    request('DELETE /collections/{collectionId}', { params: { collectionId: collection.id } }),
  )
  navigate(collection.parent === undefined ? `/orgs/${collection.organization}` : `/collections/${collection.parent}`)
  invalidate(`/orgs/${collection.organization}`)
  showToast(texts.removed)
}
