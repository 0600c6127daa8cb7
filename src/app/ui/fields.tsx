import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  label: string
  hint?: ComponentChildren
  /** Why the value is not accepted. */
  error?: string | undefined
}

/** Renders the label, hint and error of an input, which gets the attributes that connect it with them. */
function Field({
  label,
  hint,
  error,
  render,
}: FieldProps & {
  render: (attributes: { id: string; 'aria-describedby': string; 'aria-invalid': boolean }) => ComponentChildren
}) {
  const id = useId()
  return (
    <div class="ui-field">
      <label for={id}>{label}</label>
      {render({ id, 'aria-describedby': `${id}-hint`, 'aria-invalid': error !== undefined })}
      <p
        id={`${id}-hint`}
        class={error === undefined ? 'ui-field-hint' : 'ui-field-error'}
        hidden={!error && hint === undefined}
      >
        {error ?? hint}
      </p>
    </div>
  )
}

interface TextAttributes {
  required?: boolean
  disabled?: boolean
  readOnly?: boolean
  autoFocus?: boolean
  placeholder?: string
  maxLength?: number
  spellcheck?: boolean
}

interface InputAttributes extends TextAttributes {
  type?: 'text' | 'email' | 'url' | 'search' | 'password' | 'number' | 'color' | 'date'
  autocomplete?: string
}

export function TextField({
  label,
  hint,
  error,
  value,
  onInput,
  type = 'text',
  ...rest
}: FieldProps & InputAttributes & { value: string; onInput: (value: string) => void }) {
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      render={(attributes) => (
        <input
          {...rest}
          {...attributes}
          // The types of Preact accept a type only together with its roles.
          {...({ type } as object)}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    />
  )
}

interface AreaAttributes extends TextAttributes {
  rows?: number
}

export function TextArea({
  label,
  hint,
  error,
  value,
  onInput,
  ...rest
}: FieldProps & AreaAttributes & { value: string; onInput: (value: string) => void }) {
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      render={(attributes) => (
        <textarea
          rows={4}
          {...rest}
          {...attributes}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    />
  )
}

interface SelectProps<Value extends string> extends FieldProps {
  value: Value
  options: readonly { value: Value; title: string }[]
  onChange: (value: Value) => void
  disabled?: boolean
}

export function SelectField<Value extends string>({
  label,
  hint,
  error,
  value,
  options,
  onChange,
  disabled = false,
}: SelectProps<Value>) {
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      render={(attributes) => (
        <select
          {...attributes}
          disabled={disabled}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value as Value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.title}
            </option>
          ))}
        </select>
      )}
    />
  )
}

interface CheckboxProps {
  label: ComponentChildren
  hint?: ComponentChildren
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}

export function Checkbox({ label, hint, checked, onChange, disabled = false }: CheckboxProps) {
  const id = useId()
  return (
    <div class="checkbox">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      <p id={`${id}-hint`} class="ui-field-hint" hidden={hint === undefined}>
        {hint}
      </p>
    </div>
  )
}
