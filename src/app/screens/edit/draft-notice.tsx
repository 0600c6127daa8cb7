import { useState } from 'preact/hooks'
import { fillText, language } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Comparison } from './comparison.tsx'
import type { Draft } from './drafts.ts'
import { editTexts as texts } from './edit-texts.ts'
import type { PageFormat } from './page-text.ts'

interface DraftNoticeProps {
  draft: Draft
  /** The saved text. */
  body: string
  format: PageFormat
  onRestore: () => void
  onDiscard: () => void
}

/** Offers text that did not reach the server. */
export function DraftNotice({ draft, body, format, onRestore, onDiscard }: DraftNoticeProps) {
  const [isComparing, setComparing] = useState(false)
  const time = new Date(draft.at).toLocaleString(language.value, { dateStyle: 'medium', timeStyle: 'short' })
  const actions = (
    <>
      <Button onClick={onDiscard}>{texts.discard}</Button>
      <Button kind="primary" onClick={onRestore}>
        {texts.restore}
      </Button>
    </>
  )
  return (
    <section class="edit-notice" role="alert">
      <div>
        <h2>{fillText(texts.draftTitle, { time })}</h2>
        <p>{texts.draftText}</p>
      </div>
      <div class="toolbar">
        <Button onClick={() => setComparing(true)}>{texts.compare}</Button>
        {actions}
      </div>
      {isComparing && (
        <Dialog title={texts.compareTitle} isWide onClose={() => setComparing(false)} actions={actions}>
          <Comparison
            before={{ label: texts.savedSide, text: format.toLines(body) }}
            after={{ label: texts.unsavedSide, text: format.toLines(draft.body) }}
          />
        </Dialog>
      )}
    </section>
  )
}
