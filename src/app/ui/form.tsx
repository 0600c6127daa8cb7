import type { ComponentChildren, ComponentProps } from 'preact'
import { Button } from './button.tsx'
import { TextField } from './fields.tsx'
import type { FormAction } from './use-form-action.ts'

interface FormProps {
  class?: string
  onSubmit: () => void
  children: ComponentChildren
}

/** A form that a script sends. */
export function Form({ onSubmit, children, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}

type FieldFormProps = Omit<ComponentProps<typeof TextField>, 'error'> & {
  action: FormAction
  button: string
  isIncomplete: boolean
} & Pick<ComponentProps<typeof Button>, 'icon' | 'kind'>

/** A form with one field and its button, which shows why the server refused the value. */
export function FieldForm({ action, button, isIncomplete, icon, kind, onInput, ...field }: FieldFormProps) {
  const { run, isRunning, problem, clearProblem } = action
  return (
    <Form class="inline-form" onSubmit={() => void run()}>
      <TextField
        {...field}
        error={problem}
        onInput={(value) => {
          onInput(value)
          clearProblem()
        }}
      />
      <Button type="submit" {...(icon && { icon })} {...(kind && { kind })} isBusy={isRunning} disabled={isIncomplete}>
        {button}
      </Button>
    </Form>
  )
}
