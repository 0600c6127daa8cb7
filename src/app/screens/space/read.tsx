import { useEffect } from 'preact/hooks'
import { navigate } from '../../router.ts'
import { defineTexts } from '../../texts.ts'
import { EmptyState, Loading } from '../../ui/states.tsx'
import { findFirstPage } from './page-rows.ts'
import { SpaceFrame } from './space-frame.tsx'
import { usePages } from './use-pages.ts'

const texts = defineTexts('read', {
  empty: 'This space has no pages yet',
})

/** Opens the first page of a space. */
export default function SpaceScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const spaceId = params['spaceId'] ?? ''
  const { data } = usePages(spaceId)
  const first = data && findFirstPage(data.pages)
  useEffect(() => {
    if (first) navigate(`/spaces/${spaceId}/pages/${first.id}`, { replace: true })
  }, [first?.id])
  return (
    <SpaceFrame spaceId={spaceId}>
      {() => (data && !first ? <EmptyState icon="file-plus" title={texts.empty} /> : <Loading />)}
    </SpaceFrame>
  )
}
