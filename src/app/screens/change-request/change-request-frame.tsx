import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { ChangeRequest } from '../../../contract/change-request.ts'
import type { Space } from '../../../contract/space.ts'
import { useQuery } from '../../data/query.ts'
import { lastEvent } from '../../live.ts'
import { address, navigate } from '../../router.ts'
import { ErrorState, Loading } from '../../ui/states.tsx'
import { changeRequestTexts } from '../change-requests/change-request-list.tsx'
import { listTexts } from '../change-requests/list-texts.ts'
import { SpaceFrame } from '../space/space-frame.tsx'
import { ChangeRequestHead } from './head.tsx'

interface ChangeRequestFrameProps {
  params: Readonly<Record<string, string>>
  /** Navigation instead of the pages of the change request. */
  sidebar?: ((changeRequest: ChangeRequest) => ComponentChildren) | undefined
  sidebarLabel?: string
  isWide?: boolean
  children: (changeRequest: ChangeRequest, space: Space) => ComponentChildren
}

/** The frame of the screens of a change request: its head with actions and tabs. */
export function ChangeRequestFrame({ params, sidebar, sidebarLabel, isWide, children }: ChangeRequestFrameProps) {
  const spaceId = params['spaceId'] ?? ''
  const name = params['number'] ?? ''
  const { data, error, reload } = useQuery('GET /spaces/{spaceId}/change-requests/{changeRequestId}', {
    params: { spaceId, changeRequestId: name },
  })
  useNumberInAddress(data, name)
  useReloadAfterComments(data, reload)
  const subject = data && (data.subject || changeRequestTexts.untitled)
  return (
    <SpaceFrame
      spaceId={spaceId}
      changeRequest={data ? String(data.number) : name}
      crumbs={[
        { title: listTexts.title, path: `/spaces/${spaceId}/change-requests` },
        ...(data ? [{ title: `#${data.number}` }] : []),
      ]}
      title={data && `#${data.number} ${subject}`}
      sidebar={sidebar && (data ? sidebar(data) : <Loading />)}
      sidebarLabel={sidebar && sidebarLabel}
      isWide={isWide ?? false}
    >
      {(space) => {
        if (!data) return error ? <ErrorState isWholeScreen error={error} onRetry={() => void reload()} /> : <Loading />
        return (
          <>
            <ChangeRequestHead changeRequest={data} space={space} />
            {children(data, space)}
          </>
        )
      }}
    </SpaceFrame>
  )
}

/** Replaces the ID of a change request in the address by its number. */
function useNumberInAddress(changeRequest: ChangeRequest | undefined, name: string): void {
  useEffect(() => {
    if (!changeRequest || name !== changeRequest.id) return
    const { path, query, hash } = address.value
    const search = query.size > 0 ? `?${query.toString()}` : ''
    const fragment = hash === '' ? '' : `#${hash}`
    navigate(path.replace(`/${name}`, `/${changeRequest.number}`) + search + fragment, { replace: true })
  }, [changeRequest?.id, name])
}

/** Reads the number of comments again when a comment is posted. */
function useReloadAfterComments(changeRequest: ChangeRequest | undefined, reload: () => Promise<void>): void {
  const event = lastEvent.value
  useEffect(() => {
    if (event?.kind === 'comment' && event.data.changeRequest === changeRequest?.id) void reload()
  }, [event])
}
