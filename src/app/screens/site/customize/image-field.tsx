import { useId } from 'preact/hooks'
import { customizeTexts as texts } from './setting-texts.ts'
import { ImageUpload } from './image-upload.tsx'

interface ImageFieldProps {
  label: string
  light: string | undefined
  dark: string | undefined
  onChange: (mode: 'light' | 'dark', url: string | undefined) => void
}

/** Chooses an image for light mode and one for dark mode: an address, or a file to upload. */
export function ImageField({ label, light, dark, onChange }: ImageFieldProps) {
  return (
    <fieldset class="setting-images">
      <legend>{label}</legend>
      <ModeImage label={label} mode="light" value={light} onChange={(url) => onChange('light', url)} />
      <ModeImage label={label} mode="dark" value={dark} onChange={(url) => onChange('dark', url)} />
    </fieldset>
  )
}

interface ModeImageProps {
  label: string
  mode: 'light' | 'dark'
  value: string | undefined
  onChange: (url: string | undefined) => void
}

function ModeImage({ label, mode, value = '', onChange }: ModeImageProps) {
  const id = useId()
  const name = `${label}, ${texts[mode]}`
  return (
    <div class="setting-image">
      <label class="setting-mode" for={id}>
        {texts[mode]}
      </label>
      <span class={`setting-image-shown is-${mode}`}>{value !== '' && <img src={value} alt="" />}</span>
      <input
        id={id}
        class="input"
        type="url"
        aria-label={`${name}, ${texts.imageAddress}`}
        placeholder="https://"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value.trim() || undefined)}
      />
      <ImageUpload label={name} onUploaded={onChange} />
    </div>
  )
}
