import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ChangeRequest } from '../../../contract/change-request.ts'
import { appHref } from '../../base-path.ts'
import { useQuery } from '../../data/query.ts'
import { fillText } from '../../texts.ts'
import { LinkButton } from '../../ui/button.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { changeRequestTexts } from '../change-requests/change-request-list.tsx'
import { useCommentsState } from '../comments/comments-state.ts'
import { SpaceFrame } from '../space/space-frame.tsx'
import { editTexts as texts } from './edit-texts.ts'
import { PageLoader, preloadEditor } from './page-loader.tsx'

const CommentsPanel = lazy(async () => (await import('../comments/comments-panel.tsx')).CommentsPanel)

/** Edits a page or a reusable content in a change request. */
export default function EditScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { spaceId = '', number = '', pageId, reusableContentId = '' } = params
  useLayoutEffect(() => (pageId === undefined ? undefined : preloadEditor()), [])
  const query = useQuery('GET /spaces/{spaceId}/change-requests/{changeRequestId}', {
    params: { spaceId, changeRequestId: number },
  })
  const { error, reload } = query
  const opened = useRef<ChangeRequest | undefined>(undefined)
  if (opened.current && String(opened.current.number) !== number && opened.current.id !== number)
    opened.current = undefined
  const data = query.data ?? opened.current
  // The editor remains open when the change request is merged, so that unsaved text can be copied.
  if (data && isEditable(data)) opened.current = data
  const path = `/spaces/${spaceId}/change-requests/${number}`
  const subject =
    data && fillText(texts.changeRequest, { number: data.number, subject: data.subject || changeRequestTexts.untitled })
  const { data: space } = useQuery('GET /spaces/{spaceId}', { params: { spaceId } })
  const comments = useCommentsState(pageId)
  const isAsideShown = space && opened.current && pageId !== undefined && comments.isOpen.value === true
  return (
    <SpaceFrame
      spaceId={spaceId}
      changeRequest={number}
      pageId={pageId}
      crumbs={subject === undefined ? [] : [{ title: subject, path }]}
      title={subject}
      isWide
      {...(isAsideShown && {
        aside: (
          <CommentsPanel
            key={pageId}
            place={{ space, changeRequest: opened.current?.id, pageId }}
            state={comments}
            canComment={opened.current?.permissions.comment === true}
            isClosable
          />
        ),
        asideLabel: texts.comments,
      })}
    >
      {(shown) => {
        if (!data) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading lines={8} />
        if (!opened.current)
          return (
            <EmptyState
              icon="lock"
              title={texts.notEditable}
              actions={<LinkButton href={appHref(path)}>{texts.openChangeRequest}</LinkButton>}
            >
              {texts.notEditableText}
            </EmptyState>
          )
        return (
          <PageLoader
            key={`${data.id}/${pageId ?? reusableContentId}`}
            changeRequest={data}
            space={shown}
            revision={query.isLoading ? undefined : data.revision}
            comments={comments}
            pageId={pageId ?? reusableContentId}
            kind={pageId === undefined ? 'reusable-content' : 'page'}
          />
        )
      }}
    </SpaceFrame>
  )
}

const isEditable = ({ permissions, status }: ChangeRequest): boolean =>
  permissions.edit && (status === 'draft' || status === 'open')
