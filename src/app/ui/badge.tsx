import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'

interface BadgeProps {
  tone?: 'neutral' | 'accent' | 'success' | 'warning' | 'danger'
  icon?: IconName
  children: ComponentChildren
}

/** A short status or count beside a title. */
export function Badge({ tone = 'neutral', icon, children }: BadgeProps) {
  return (
    <span class={`ui-badge ui-badge-${tone}`}>
      {icon && <Icon name={icon} size={13} />}
      {children}
    </span>
  )
}
