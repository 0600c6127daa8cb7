import type { ApiError } from '../../api.ts'
import { isSignedOut } from '../../connection.ts'
import { fillText, language } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { IconName } from '../../ui/icons.ts'
import { describeError } from '../../ui/states.tsx'
import { editTexts as texts } from './edit-texts.ts'
import type { PageSaver } from './page-saver.ts'
import type { SaveState } from './save-state.ts'

interface SaveLineProps {
  saver: PageSaver
  /** Number of the change request; undefined if the live content is edited. */
  number: number | undefined
  /** Called to add the text as a new page if the page was deleted. */
  onAddAgain: () => void
  onCopy: () => void
}

/** Shows whether the text in the editor is saved. */
export function SaveLine({ saver, number, onAddAgain, onCopy }: SaveLineProps) {
  const state = saver.state.value
  const problem = ['failed', 'waiting', 'conflict', 'halted'].includes(state.kind)
  const isGone = state.kind === 'failed' && state.error.status === 404
  return (
    <div class={problem ? 'save-line is-problem' : 'save-line'} role="status">
      <Icon name={iconOf(state)} />
      <span>{saver.isAtRisk ? texts.notStored : describeState(state, number)}</span>
      {(state.kind === 'failed' || state.kind === 'waiting') && (
        <Button kind="quiet" onClick={() => void saver.flush()}>
          {texts.retry}
        </Button>
      )}
      {state.kind === 'failed' && (
        <Button kind="quiet" onClick={onCopy}>
          {texts.copyText}
        </Button>
      )}
      {isGone && (
        <Button kind="quiet" onClick={onAddAgain}>
          {texts.addAgain}
        </Button>
      )}
    </div>
  )
}

const icons: Record<SaveState['kind'], IconName> = {
  saved: 'circle-check',
  unsaved: 'circle-dashed',
  saving: 'progress',
  waiting: 'cloud-off',
  failed: 'warning',
  conflict: 'warning',
  halted: 'lock',
}

const iconOf = ({ kind }: SaveState): IconName => icons[kind]

function describeState(state: SaveState, number: number | undefined): string {
  if (state.kind === 'saved') return describeSaved(state.at, number)
  if (state.kind === 'waiting' || state.kind === 'failed') return describeFailure(state.error, number === undefined)
  return texts[state.kind]
}

function describeSaved(at: number | undefined, number: number | undefined): string {
  if (at === undefined) return number === undefined ? texts.savedLive : fillText(texts.savedIn, { number })
  const time = new Date(at).toLocaleTimeString(language.value, { hour: '2-digit', minute: '2-digit' })
  return number === undefined ? fillText(texts.savedLiveAt, { time }) : fillText(texts.savedAt, { number, time })
}

function describeFailure(error: ApiError, isLive: boolean): string {
  if (error.status === 0) return texts.offline
  if (error.status === 401 || isSignedOut.value) return texts.signedOut
  if (error.status === 404) return isLive ? texts.goneLive : texts.gone
  if (error.status === 409 && !isLive) return texts.closed
  return fillText(texts.waiting, { reason: describeError(error) })
}
