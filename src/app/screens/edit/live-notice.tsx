import type { Space } from '../../../contract/space.ts'
import { appHref } from '../../base-path.ts'
import { Button } from '../../ui/button.tsx'
import { useAction } from '../../ui/use-action.ts'
import { canEditLive } from '../space/can-edit-live.ts'
import { continueInChangeRequest } from './continue-in-change-request.ts'
import type { Draft } from './drafts.ts'
import { editTexts as texts } from './edit-texts.ts'
import type { PagePlace } from './page-text.ts'

interface LiveNoticeProps {
  space: Space
  place: PagePlace
  /** Returns unsaved text. Comparing a long text takes time, so this is called only when saving has stopped. */
  readUnsaved: () => Draft | undefined
  onCopy: () => void
  /** Called when the text is part of a new change request. */
  onMoved: () => void
}

/** Shows that readers see each change, or that the live content can no longer be edited. */
export function LiveNotice({ space, place, readUnsaved, onCopy, onMoved }: LiveNoticeProps) {
  const [continueInNew, isStarting] = useAction(async () => {
    await continueInChangeRequest(space, place, readUnsaved())
    onMoved()
  })
  if (canEditLive(space))
    return (
      <p class="edit-live-note">
        {texts.liveNote} <a href={appHref(`/spaces/${space.id}/history`)}>{texts.history}</a>
      </p>
    )
  const canPropose = space.permissions.edit
  return (
    <section class="edit-notice" role="alert">
      <div>
        <h2>{canPropose ? texts.lockedTitle : texts.forbiddenTitle}</h2>
        <p>{canPropose ? texts.lockedText : texts.forbiddenText}</p>
        {readUnsaved() && <p>{texts.keptText}</p>}
      </div>
      <div class="toolbar">
        {canPropose && (
          <Button kind="primary" isBusy={isStarting} onClick={() => void continueInNew()}>
            {texts.continueInNew}
          </Button>
        )}
        <Button onClick={onCopy}>{texts.copyText}</Button>
      </div>
    </section>
  )
}
