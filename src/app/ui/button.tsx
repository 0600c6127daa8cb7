import type { ComponentChildren, JSX } from 'preact'
import { joinClasses } from './classes.ts'
import type { IconName } from './icons.ts'
import { Icon } from './icon.tsx'

interface ButtonLook {
  /** `primary` is the one main action of a screen or dialog, `quiet` has no border, `danger` deletes. */
  kind?: 'primary' | 'secondary' | 'quiet' | 'danger'
  icon?: IconName
  /** Text for screen readers and the tooltip, if the button shows only an icon. */
  label?: string
  children?: ComponentChildren
}

type ButtonProps = ButtonLook &
  Omit<JSX.IntrinsicElements['button'], 'class' | 'label' | 'icon'> & {
    /** Whether the action is running; the button cannot be pressed in the meantime. */
    isBusy?: boolean
  }

export function Button({ kind = 'secondary', icon, label, isBusy = false, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-busy={isBusy}
      {...rest}
      class={buttonClass(kind, children)}
      // A disabled button loses the focus, and keyboard users would lose their position.
      {...(isBusy && { 'aria-disabled': true, onClick: preventDefault })}
    >
      {isBusy ? <Icon name="loader" /> : icon && <Icon name={icon} />}
      {children !== undefined && <span>{children}</span>}
    </button>
  )
}

const preventDefault = (event: Event): void => event.preventDefault()

type LinkButtonProps = ButtonLook & { href: string; target?: string; rel?: string; download?: string | boolean }

/** A link that looks like a button. */
export function LinkButton({ kind = 'secondary', icon, label, children, ...rest }: LinkButtonProps) {
  return (
    <a aria-label={label} title={label} {...rest} class={buttonClass(kind, children)}>
      {icon && <Icon name={icon} />}
      {children !== undefined && <span>{children}</span>}
    </a>
  )
}

const buttonClass = (kind: string, children: ComponentChildren): string =>
  joinClasses('ui-button', `ui-button-${kind}`, children === undefined && 'ui-button-icon')
