import { useSignal } from '@preact/signals'
import { request } from '../../api.ts'
import { appHref } from '../../base-path.ts'
import { invalidate } from '../../data/query.ts'
import { navigate } from '../../router.ts'
import { defineTexts } from '../../texts.ts'
import { lazy } from '../../ui/lazy.tsx'
import { Menu } from '../../ui/menu.tsx'
import { collectionTexts } from '../collection/collection-texts.ts'

const NameDialog = lazy(async () => (await import('../collection/collection-dialogs.tsx')).NameDialog)

const texts = defineTexts('createMenu', {
  title: 'New space or collection',
  templates: 'Templates',
  imports: 'Imports',
})

/** Menu that creates a space or a collection at the top level of an organization. */
export function CreateMenu({ organizationId }: { organizationId: string }) {
  const isNaming = useSignal(false)
  return (
    <>
      <Menu
        label={texts.title}
        icon="plus"
        items={[
          { title: collectionTexts.newSpace, icon: 'book', href: appHref(`/orgs/${organizationId}/new`) },
          { title: collectionTexts.newCollection, icon: 'folder-plus', onSelect: () => (isNaming.value = true) },
          {
            title: texts.templates,
            icon: 'template',
            startsGroup: true,
            href: appHref(`/orgs/${organizationId}/templates`),
          },
          { title: texts.imports, icon: 'download', href: appHref(`/orgs/${organizationId}/imports`) },
        ]}
      />
      {isNaming.value && (
        <NameDialog
          title={collectionTexts.newCollection}
          action={collectionTexts.create}
          name=""
          onClose={() => (isNaming.value = false)}
          onSave={async ({ title }) => {
            const { id } = await request('POST /orgs/{organizationId}/collections', {
              params: { organizationId },
              body: { title },
            })
            invalidate(`/orgs/${organizationId}/collections`)
            navigate(`/collections/${id}`)
          }}
        />
      )}
    </>
  )
}
