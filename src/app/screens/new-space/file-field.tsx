import { useId } from 'preact/hooks'
import { newSpaceTexts as texts } from './new-space-texts.ts'

/** Maximum number of files of one import. */
const maxFiles = 50

/** Chooses files to upload. */
export function FileField({ files, onChange }: { files: readonly File[]; onChange: (files: readonly File[]) => void }) {
  const id = useId()
  return (
    <div class="ui-field">
      <label for={id}>{texts.files}</label>
      <input
        id={id}
        type="file"
        multiple
        accept=".md,.markdown,.html,.htm,.zip"
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange([...(event.currentTarget.files ?? [])].slice(0, maxFiles))}
      />
      <p id={`${id}-hint`} class="ui-field-hint">
        {files.length > 0 ? files.map(({ name }) => name).join(', ') : texts.filesHint}
      </p>
    </div>
  )
}
