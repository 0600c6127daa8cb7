import { useState } from 'preact/hooks'
import type { ChangeRequest, ReviewStatus } from '../../../contract/change-request.ts'
import { request } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/fields.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { emptyDraft, readDraft, writeDraft } from '../comments/comment-drafts.ts'
import { texts } from './texts.ts'
import { invalidateChangeRequests, paramsOf } from './use-change-request.ts'

/** Asks for the verdict of a reviewer, with a text. */
export function ReviewDialog({ changeRequest, onClose }: { changeRequest: ChangeRequest; onClose: () => void }) {
  const draftKey = `review.${changeRequest.id}`
  const [text, setText] = useState(readDraft(draftKey)?.text ?? '')
  const [submit, isSubmitting] = useAction(async (status: ReviewStatus) => {
    const markdown = text.trim()
    await request('POST /spaces/{spaceId}/change-requests/{changeRequestId}/reviews', {
      params: paramsOf(changeRequest),
      body: { status, ...(markdown !== '' && { comment: { markdown } }) },
    })
    writeDraft(draftKey, emptyDraft)
    invalidateChangeRequests(changeRequest)
    showToast(texts.reviewSent)
    onClose()
  })
  return (
    <Dialog
      title={texts.review}
      onClose={onClose}
      actions={
        <>
          <Button
            icon="circle-x"
            isBusy={isSubmitting}
            disabled={text.trim() === ''}
            onClick={() => void submit('changes-requested')}
          >
            {texts.requestChanges}
          </Button>
          <Button kind="primary" icon="circle-check" isBusy={isSubmitting} onClick={() => void submit('approved')}>
            {texts.approve}
          </Button>
        </>
      }
    >
      <TextArea
        label={texts.reviewText}
        hint={texts.reviewTextHint}
        value={text}
        rows={6}
        autoFocus
        onInput={(value) => {
          setText(value)
          writeDraft(draftKey, { text: value, mentions: {} })
        }}
      />
    </Dialog>
  )
}
