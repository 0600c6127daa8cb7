import { useEffect } from 'preact/hooks'
import type { Space } from '../../../contract/space.ts'
import { navigate } from '../../router.ts'
import { defineTexts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState, Loading } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { findFirstPage } from './page-rows.ts'
import { SpaceFrame } from './space-frame.tsx'
import { insertPage } from './tree-actions.ts'
import { treeTexts } from './tree-texts.ts'
import { usePages } from './use-pages.ts'

const texts = defineTexts('read', {
  empty: 'This space has no pages yet',
})

/** Shown for a space without pages; on phones the button of the navigation is not visible. */
function NoPages({ space }: { space: Space }) {
  const [insert, isInserting] = useAction(() => insertPage({ space, changeRequest: undefined }, null))
  return (
    <EmptyState
      icon="file-plus"
      title={texts.empty}
      actions={
        space.permissions.edit && (
          <Button kind="primary" icon="plus" isBusy={isInserting} onClick={() => void insert()}>
            {treeTexts.newPage}
          </Button>
        )
      }
    />
  )
}

/** Opens the first page of a space. */
export default function SpaceScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const spaceId = params['spaceId'] ?? ''
  const { data } = usePages(spaceId)
  const first = data && findFirstPage(data.pages)
  useEffect(() => {
    if (first) navigate(`/spaces/${spaceId}/pages/${first.id}`, { replace: true })
  }, [first?.id])
  return (
    <SpaceFrame spaceId={spaceId}>{(space) => (data && !first ? <NoPages space={space} /> : <Loading />)}</SpaceFrame>
  )
}
