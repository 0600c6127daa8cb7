import { useEffect, useId, useState } from 'preact/hooks'
import { fillText } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { getContrast, isColor, minContrast, pageColors, toLongColor } from './contrast.ts'
import { customizeTexts as texts } from './setting-texts.ts'

type Mode = 'light' | 'dark'

export interface ColorFieldProps {
  label: string
  light: string | undefined
  dark: string | undefined
  /** Background colors of texts in this color; without them the contrast is not checked. */
  backgrounds: Record<Mode, string> | undefined
  isHeader?: boolean
  isOptional?: boolean
  onChange: (mode: Mode, color: string | undefined) => void
}

/** Chooses a color for light mode and one for dark mode, and warns if texts in it would be hard to read. */
export function ColorField(props: ColorFieldProps) {
  const { label, light, dark, isOptional = false, onChange } = props
  const hasValue = light !== undefined || dark !== undefined
  return (
    <fieldset class="setting-pair">
      <legend>{label}</legend>
      <ModeColor {...props} mode="light" value={light} />
      <ModeColor {...props} mode="dark" value={dark} />
      {isOptional && hasValue && (
        <Button
          kind="quiet"
          icon="x"
          label={`${texts.remove}: ${label}`}
          onClick={() => {
            onChange('light', undefined)
            onChange('dark', undefined)
          }}
        />
      )}
    </fieldset>
  )
}

function ModeColor({
  label,
  mode,
  value = '',
  backgrounds,
  isHeader = false,
  onChange,
}: ColorFieldProps & { mode: Mode; value: string | undefined }) {
  const id = useId()
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const name = `${label}, ${texts[mode]}`
  const isValid = text === '' || isColor(text)
  const contrast = backgrounds && isColor(value) ? getContrast(value, backgrounds[mode]) : undefined
  const warning = isHeader ? texts.lowHeaderContrast : texts.lowContrast
  const change = (color: string) => {
    setText(color)
    if (isColor(color)) onChange(mode, color)
  }
  return (
    <div class="setting-color">
      <span class="setting-mode">{texts[mode]}</span>
      <span class="setting-color-inputs">
        <input
          type="color"
          aria-label={name}
          value={isColor(value) ? toLongColor(value) : pageColors[mode]}
          onInput={(event) => change(event.currentTarget.value)}
        />
        <input
          class="input"
          aria-label={`${name}, #RRGGBB`}
          aria-invalid={!isValid}
          aria-describedby={id}
          maxLength={7}
          placeholder={texts.default}
          spellcheck={false}
          value={text}
          onInput={(event) => change(event.currentTarget.value.trim())}
        />
      </span>
      <p id={id} class={isValid ? 'setting-warning' : 'ui-field-error'} role="status">
        {!isValid && texts.invalidColor}
        {isValid && contrast !== undefined && contrast < minContrast && (
          <>
            <Icon name="warning" size={14} /> {fillText(warning, { contrast: contrast.toFixed(1) })}
          </>
        )}
      </p>
    </div>
  )
}
