import { useEffect } from 'preact/hooks'
import { useQuery } from '../../data/query.ts'
import { navigate } from '../../router.ts'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { SpaceFrame } from '../space/space-frame.tsx'

/** Opens the page of a comment, with the comment in view. */
export default function CommentLinkScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { spaceId = '', commentId = '' } = params
  const { data, error, reload } = useQuery('GET /spaces/{spaceId}/comments/{commentId}', {
    params: { spaceId, commentId },
  })
  const pageId = data?.target.page?.id
  useEffect(() => {
    if (!data) return
    const path = pageId === undefined ? `/spaces/${spaceId}` : `/spaces/${spaceId}/pages/${pageId}`
    navigate(`${path}?comment=${commentId}`, { replace: true })
  }, [data?.id])
  return (
    <SpaceFrame spaceId={spaceId}>
      {() => (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
    </SpaceFrame>
  )
}
