import { signal } from '@preact/signals'
import { Button } from './button.tsx'
import { describeError } from './states.tsx'
import { uiTexts } from './ui-texts.ts'

interface Toast {
  id: number
  text: string
  kind: 'success' | 'error'
  action?: { title: string; onSelect: () => void } | undefined
}

const toasts = signal<readonly Toast[]>([])
let lastId = 0

/** Messages disappear after this time in milliseconds; errors remain until they are closed. */
const duration = 6000

/** Shows a message at the bottom of the screen, for example with a button that undoes an action. */
export function showToast(
  text: string,
  { kind = 'success', action }: Partial<Pick<Toast, 'kind' | 'action'>> = {},
): void {
  const id = ++lastId
  // The same message is not repeated.
  toasts.value = [...toasts.value.filter((toast) => toast.text !== text), { id, text, kind, action }]
  if (kind === 'success') setTimeout(() => hide(id), duration)
}

/** Shows why something failed. */
export const showError = (error: unknown): void => showToast(describeError(error), { kind: 'error' })

const hide = (id: number): void => void (toasts.value = toasts.value.filter((toast) => toast.id !== id))

/** Place of the messages; there is one in the app. */
export function ToastHost() {
  return (
    <div
      class="toasts"
      role="region"
      aria-live="polite"
      aria-label={uiTexts.messages}
      hidden={toasts.value.length === 0}
    >
      {toasts.value.map(({ id, text, kind, action }) => (
        <div key={id} class={`toast toast-${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
          <span>{text}</span>
          {action && (
            <Button
              kind="quiet"
              onClick={() => {
                hide(id)
                action.onSelect()
              }}
            >
              {action.title}
            </Button>
          )}
          <Button kind="quiet" icon="x" label={uiTexts.close} onClick={() => hide(id)} />
        </div>
      ))}
    </div>
  )
}
