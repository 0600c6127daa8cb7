import type { Translation, TranslationRun } from '../../../contract/translation.ts'
import { request } from '../../api.ts'
import { invalidate } from '../../data/query.ts'
import { fillText, formatNumber } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ProgressHead } from '../new-space/progress.tsx'
import { translationTexts as texts } from './translation-texts.ts'

interface RunStateProps {
  organizationId: string
  translation: Translation
  /** The run that is waiting or running. */
  run: TranslationRun | undefined
}

/** Shows the progress of a run, or why the last one failed. */
export function RunState({ organizationId, translation, run }: RunStateProps) {
  const { id, failure, permissions } = translation
  const [cancel, isCancelling] = useAction(async () => {
    await request('POST /orgs/{organizationId}/translations/{translationId}/cancel', {
      params: { organizationId, translationId: id },
    })
    invalidate(`/orgs/${organizationId}/translations`)
  })
  if (!run) {
    if (failure === undefined) return null
    return (
      <ProgressHead icon="circle-x" title={texts.failedTitle}>
        <p role="alert">{failure}</p>
        <p class="quiet">{texts.failedHint}</p>
      </ProgressHead>
    )
  }
  const { pages, donePages, texts: total, sentTexts } = run.progress
  return (
    <ProgressHead
      icon="progress"
      title={run.status === 'pending' ? texts.runWaiting : texts.runTitle}
      done={donePages}
      total={pages}
    >
      {total > 0 && (
        <p class="quiet">{fillText(texts.texts, { done: formatNumber(sentTexts), total: formatNumber(total) })}</p>
      )}
      {permissions.edit && (
        <div class="toolbar">
          <Button isBusy={isCancelling} onClick={() => void cancel()}>
            {texts.cancel}
          </Button>
        </div>
      )}
    </ProgressHead>
  )
}
