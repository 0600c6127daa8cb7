import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Button } from './button.tsx'
import { joinClasses } from './classes.ts'
import { uiTexts } from './ui-texts.ts'

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
  /** Buttons at the end; the last is the main action. */
  actions?: ComponentChildren
  isWide?: boolean
  /** Called when the form in the dialog is submitted, including with Enter or Ctrl+Enter. */
  onSubmit?: () => void
}

/** Shows a dialog while its component is mounted; afterwards the focus returns to the previous element. */
export function useModal(dialog: RefObject<HTMLDialogElement | null>): void {
  useEffect(() => {
    const opener = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])
}

const firstField = '.dialog-body :is(input:not([type=file], [type=radio], [type=checkbox]), textarea, select)'

/** A modal dialog. It is shown while it is rendered; the browser keeps the focus in it. */
export function Dialog({ title, onClose, children, actions, isWide = false, onSubmit }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useModal(dialog)
  useEffect(() => {
    // The browser would focus the button that closes the dialog, unless another element requests the focus.
    const isChosen = dialog.current?.querySelector('[autofocus]') !== null
    if (onSubmit && !isChosen) dialog.current?.querySelector<HTMLElement>(firstField)?.focus()
  }, [])
  return (
    <dialog
      ref={dialog}
      class={joinClasses('dialog', isWide && 'dialog-wide')}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <form
        class="dialog-form"
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit?.()
        }}
        onKeyDown={(event) => {
          // In a text with several lines, Enter starts a new line.
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return
          event.preventDefault()
          event.currentTarget.querySelector<HTMLElement>('[type=submit]')?.click()
        }}
      >
        <header class="dialog-head">
          <h2 id={titleId}>{title}</h2>
          <Button kind="quiet" icon="x" label={uiTexts.close} onClick={onClose} />
        </header>
        {/* Without fields, it may have nothing that the keyboard leads to, and it must scroll with the keyboard too. */}
        <div class="dialog-body" tabIndex={onSubmit ? undefined : 0}>
          {children}
        </div>
        {actions !== undefined && <footer class="dialog-actions">{actions}</footer>}
      </form>
    </dialog>
  )
}
