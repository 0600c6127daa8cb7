import type { Signal } from '@preact/signals'
import { fillText } from '../../texts.ts'
import { toolTexts as texts } from './edit-texts.ts'
import type { Upload } from './send-file.ts'

/** Shows the progress of uploads. */
export function UploadList({ uploads }: { uploads: Signal<readonly Upload[]> }) {
  if (uploads.value.length === 0) return null
  return (
    <ul class="edit-uploads" aria-label={texts.uploads}>
      {uploads.value.map(({ id, name, progress }) => (
        <li key={id}>
          <span>{fillText(texts.uploading, { name })}</span>
          <progress max={1} value={progress} aria-label={name} />
        </li>
      ))}
    </ul>
  )
}
