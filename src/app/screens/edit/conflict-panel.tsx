import { Button } from '../../ui/button.tsx'
import { editTexts as texts } from './edit-texts.ts'
import type { Side } from './line-diff.ts'
import type { PageFormat } from './page-text.ts'

interface ConflictPanelProps {
  format: PageFormat
  base: string
  mine: string
  theirs: string
  /** Called with the text that contains the chosen side, and all other changes of both. */
  onChoose: (text: string, side: Side) => void
}

/** Shows both versions of text that two people changed, and lets the user choose. */
export function ConflictPanel({ format, base, mine, theirs, onChoose }: ConflictPanelProps) {
  const { conflicts } = format.merge(base, mine, theirs, 'mine')
  // The server compares words and blocks, so the versions may have no common line.
  const shown = conflicts.length > 0 ? conflicts : [{ mine, theirs }]
  const choose = (side: Side) => onChoose(format.merge(base, mine, theirs, side).text, side)
  return (
    <section class="edit-notice edit-conflict" role="alert">
      <h2>{texts.conflictTitle}</h2>
      <p>{texts.conflictText}</p>
      {shown.map((conflict, index) => (
        <div key={index} class="text-comparison">
          {(['mine', 'theirs'] as const).map((side) => (
            <section key={side} class="text-side" aria-label={texts[side]}>
              <h3>{texts[side]}</h3>
              <pre tabIndex={0}>{conflict[side] || texts.deletedSide}</pre>
            </section>
          ))}
        </div>
      ))}
      <div class="toolbar">
        <Button onClick={() => choose('mine')}>{texts.keepMine}</Button>
        <Button onClick={() => choose('theirs')}>{texts.keepTheirs}</Button>
        <Button kind="primary" onClick={() => choose('both')}>
          {texts.keepBoth}
        </Button>
      </div>
    </section>
  )
}
