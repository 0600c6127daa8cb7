import { useId } from 'preact/hooks'
import { writeToClipboard } from '../../browser/clipboard.ts'
import { Button } from './button.tsx'
import { showToast } from './toasts.tsx'
import { uiTexts } from './ui-texts.ts'

export async function copyText(text: string | Promise<string>): Promise<void> {
  await writeToClipboard(text)
  showToast(uiTexts.copied)
}

interface CopyFieldProps {
  label: string
  value: string
  hint?: string
}

/** Shows a value that people paste elsewhere, with a button that copies it. */
export function CopyField({ label, value, hint }: CopyFieldProps) {
  const id = useId()
  return (
    <div class="ui-field">
      <label for={id}>{label}</label>
      <div class="ui-copy">
        <input
          id={id}
          readOnly
          value={value}
          aria-describedby={`${id}-hint`}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button icon="copy" label={uiTexts.copy} onClick={() => void copyText(value)} />
      </div>
      <p id={`${id}-hint`} class="ui-field-hint" hidden={hint === undefined}>
        {hint}
      </p>
    </div>
  )
}
