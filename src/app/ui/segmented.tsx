import { useId } from 'preact/hooks'

interface SegmentedProps<Value extends string> {
  label: string
  /** Whether only screen readers get the label. */
  isLabelHidden?: boolean
  value: Value
  options: readonly { value: Value; title: string }[]
  onChange: (value: Value) => void
}

/** A choice of a few values that are all visible. */
export function Segmented<Value extends string>({
  label,
  isLabelHidden = false,
  value,
  options,
  onChange,
}: SegmentedProps<Value>) {
  const name = useId()
  return (
    <fieldset class="segmented">
      <legend class={isLabelHidden ? 'sr-only' : undefined}>{label}</legend>
      <div class="segmented-options">
        {options.map((option) => (
          <label key={option.value}>
            <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
            <span>{option.title}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
