import type { Space } from '../../../contract/space.ts'
import { appHref } from '../../base-path.ts'
import { Button } from '../../ui/button.tsx'
import { useAction } from '../../ui/use-action.ts'
import { canEditLive } from '../space/can-edit-live.ts'
import { editTexts as texts } from './edit-texts.ts'

interface LiveNoticeProps {
  space: Space
  hasUnsaved: boolean
  /** Opens the text in a new change request. */
  onContinue: () => Promise<void>
  onCopy: () => void
}

/** Shows that readers see each change, or that the live content cannot be edited any more. */
export function LiveNotice({ space, hasUnsaved, onContinue, onCopy }: LiveNoticeProps) {
  const [continueInNew, isStarting] = useAction(onContinue)
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
        {hasUnsaved && <p>{texts.keptText}</p>}
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
