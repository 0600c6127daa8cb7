import { useState } from 'preact/hooks'
import type { ChangeRequest } from '../../../contract/change-request.ts'
import type { Space } from '../../../contract/space.ts'
import { request } from '../../api.ts'
import { invalidate } from '../../data/query.ts'
import { navigate } from '../../router.ts'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { showError, showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useFollowItems } from '../notifications/use-follow.ts'
import { openPreview } from './preview.ts'
import { texts } from './texts.ts'
import {
  invalidateChangeRequests,
  isActive,
  paramsOf,
  patchChangeRequest,
  screenPath,
  useMergeStatus,
} from './use-change-request.ts'

const RequestReviewDialog = lazy(async () => (await import('./request-review.tsx')).RequestReviewDialog)
const ReviewDialog = lazy(async () => (await import('./review-dialog.tsx')).ReviewDialog)

/** Actions of a change request that its status and the role of the user allow. */
export function ChangeRequestActions({ changeRequest, space }: { changeRequest: ChangeRequest; space: Space }) {
  const { permissions, status } = changeRequest
  const [dialog, setDialog] = useState<'request' | 'review' | undefined>(undefined)
  const [preview, isPreviewing] = useAction(() => openPreview(space, changeRequest))
  const active = isActive(changeRequest)
  const follow = useFollowItems(space.id, [{ changeRequest: changeRequest.id }])
  return (
    <div class="cr-actions">
      <span class="toolbar">
        {status !== 'merged' && (
          <Button icon="eye" title={texts.previewHint} isBusy={isPreviewing} onClick={() => void preview()}>
            {texts.preview}
          </Button>
        )}
        {active && permissions.edit && (
          <Button icon="user-plus" onClick={() => setDialog('request')}>
            {texts.requestReview}
          </Button>
        )}
        {active && permissions.review && (
          <Button icon="circle-check" onClick={() => setDialog('review')}>
            {texts.review}
          </Button>
        )}
        {active && permissions.merge && <MergeButton changeRequest={changeRequest} />}
        <Menu
          label={texts.moreActions}
          icon="dots"
          items={[...follow.items, ...listMoreActions(changeRequest)]}
          onOpen={follow.onOpen}
        />
      </span>
      {active && permissions.merge && <MergeReason changeRequest={changeRequest} />}
      {dialog === 'request' && (
        <RequestReviewDialog changeRequest={changeRequest} space={space} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'review' && <ReviewDialog changeRequest={changeRequest} onClose={() => setDialog(undefined)} />}
    </div>
  )
}

export function MergeButton({ changeRequest }: { changeRequest: ChangeRequest }) {
  const { data: status } = useMergeStatus(changeRequest)
  const [merge, isMerging] = useAction(() => mergeChangeRequest(changeRequest))
  return (
    <Button
      kind="primary"
      icon="git-merge"
      isBusy={isMerging}
      disabled={!status?.mergeable}
      aria-describedby={reasonId}
      onClick={() => void merge()}
    >
      {texts.merge}
    </Button>
  )
}

const reasonId = 'cr-merge-reason'

/** Shows why the change request cannot be merged. */
function MergeReason({ changeRequest }: { changeRequest: ChangeRequest }) {
  const { data: status } = useMergeStatus(changeRequest)
  return (
    <p id={reasonId} class="cr-merge-reason" hidden={!status || status.mergeable}>
      {status?.reasons[0]}
    </p>
  )
}

async function mergeChangeRequest(changeRequest: ChangeRequest): Promise<void> {
  const params = paramsOf(changeRequest)
  const { result, message } = await request('POST /spaces/{spaceId}/change-requests/{changeRequestId}/merge', {
    params,
  })
  invalidate(`/spaces/${changeRequest.space}`)
  if (result === 'merge') {
    showToast(texts.merged)
    navigate(screenPath(changeRequest))
  } else if (message !== undefined) showToast(message, { kind: 'error' })
  else {
    showToast(texts.mergeConflicts, { kind: 'error' })
    navigate(screenPath(changeRequest, '/conflicts'))
  }
}

/** Merges the content of the space into a change request. */
export async function updateFromSpace(changeRequest: ChangeRequest): Promise<void> {
  const params = paramsOf(changeRequest)
  const { result } = await request('POST /spaces/{spaceId}/change-requests/{changeRequestId}/update', { params })
  invalidateChangeRequests(changeRequest)
  if (result === 'update') return showToast(texts.updated)
  showToast(texts.updateConflicts, { kind: 'error' })
  navigate(screenPath(changeRequest, '/conflicts'))
}

/** Returns a function that runs an action and shows why it failed. */
const run = (action: () => Promise<void>) => () => void action().catch(showError)

function listMoreActions(changeRequest: ChangeRequest): (MenuItem | false)[] {
  const { status, permissions, outdated, urls } = changeRequest
  const setStatus = (next: 'draft' | 'open' | 'archived', message: string) =>
    run(() => changeStatus(changeRequest, next, message))
  const { edit } = permissions
  return [
    {
      title: texts.copyLink,
      icon: 'link',
      onSelect: run(() => copyText(urls.app)),
    },
    edit &&
      isActive(changeRequest) &&
      outdated && {
        title: texts.updateFromSpace,
        icon: 'refresh',
        onSelect: run(() => updateFromSpace(changeRequest)),
      },
    edit &&
      status === 'open' && {
        title: texts.markDraft,
        icon: 'circle-dashed',
        onSelect: setStatus('draft', texts.markedDraft),
      },
    edit &&
      status === 'draft' && {
        title: texts.markOpen,
        icon: 'git-pull-request',
        onSelect: setStatus('open', texts.markedOpen),
      },
    edit &&
      isActive(changeRequest) && {
        title: texts.archive,
        icon: 'archive',
        startsGroup: true,
        onSelect: setStatus('archived', texts.archived),
      },
    edit &&
      status === 'archived' && {
        title: texts.reopen,
        icon: 'arrow-back-up',
        onSelect: setStatus('open', texts.reopened),
      },
  ]
}

/** Sets the status and offers to undo it. */
async function changeStatus(
  changeRequest: ChangeRequest,
  next: 'draft' | 'open' | 'archived',
  message: string,
): Promise<void> {
  const { status: previous } = changeRequest
  await patchChangeRequest(changeRequest, { status: next })
  if (previous === 'merged') return
  const undo = () => void patchChangeRequest(changeRequest, { status: previous }).catch(showError)
  showToast(message, { action: { title: texts.undo, onSelect: undo } })
}
