import type { ComponentChildren } from 'preact'
import { appHref } from '../../base-path.ts'
import { useQuery } from '../../data/query.ts'
import { defineTexts, fillText } from '../../texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { changeRequestTexts } from '../change-requests/change-request-list.tsx'
import type { ContentTarget } from './send-changes.ts'
import { SpaceFrame } from './space-frame.tsx'

const texts = defineTexts('contentFrame', {
  changeRequest: '#{number} {subject}',
  inChangeRequest: 'What you change here is part of',
  closed: 'This change request is merged or archived.',
  viewChanges: 'View changes',
})

interface ContentFrameProps {
  params: Readonly<Record<string, string>>
  title: string
  /** Buttons beside the title, for users who may change the content. */
  actions?: (target: ContentTarget) => ComponentChildren
  children: (target: ContentTarget, canEdit: boolean) => ComponentChildren
}

/** The frame of lists of content: of the space, or of the change request in the address. */
export function ContentFrame({ params, title, actions, children }: ContentFrameProps) {
  const { spaceId = '', number } = params
  const { data: changeRequest } = useQuery(
    number === undefined ? undefined : 'GET /spaces/{spaceId}/change-requests/{changeRequestId}',
    { params: { spaceId, changeRequestId: number ?? '' } },
  )
  const path = `/spaces/${spaceId}/change-requests/${number}`
  const subject =
    changeRequest &&
    fillText(texts.changeRequest, {
      number: changeRequest.number,
      subject: changeRequest.subject || changeRequestTexts.untitled,
    })
  const isOpen = changeRequest?.status === 'draft' || changeRequest?.status === 'open'
  return (
    <SpaceFrame
      spaceId={spaceId}
      changeRequest={number}
      crumbs={[...(subject === undefined ? [] : [{ title: subject, path }]), { title }]}
    >
      {(space) => {
        const target = { space, changeRequest: number }
        const canEdit = number === undefined ? space.permissions.edit : isOpen && changeRequest.permissions.edit
        return (
          <>
            <header class="content-head">
              <h1 class="screen-title">{title}</h1>
              {canEdit && actions && <div class="toolbar">{actions(target)}</div>}
            </header>
            {subject !== undefined && (
              <p class="content-note">
                <Icon name="git-pull-request" />
                <span>{isOpen ? texts.inChangeRequest : texts.closed}</span>
                <a href={appHref(path)}>{subject}</a>
                <a href={appHref(`${path}/changes`)}>{texts.viewChanges}</a>
              </p>
            )}
            {children(target, canEdit)}
          </>
        )
      }}
    </SpaceFrame>
  )
}
