import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { joinClasses } from './classes.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'

export interface MenuItem {
  title: string
  icon?: IconName
  /** Address to open. */
  href?: string
  onSelect?: () => void
  isDangerous?: boolean
  /** Whether it is the chosen one of several. */
  isChecked?: boolean
  /** Starts a new group of entries. */
  startsGroup?: boolean
  /** Shown above the entry, as the title of its group. */
  groupTitle?: string
  /** Whether the list remains open, because the entry changes the others. */
  keepsOpen?: boolean
}

interface MenuProps {
  /** Name of the button for screen readers, if it shows only an icon. */
  label?: string
  icon?: IconName
  children?: ComponentChildren
  items: readonly (MenuItem | false | undefined)[]
  kind?: 'primary' | 'secondary' | 'quiet'
  /** Shown before the entries. */
  head?: ComponentChildren
  /** Called when the list opens, for entries whose data is read then. */
  onOpen?: () => void
  /** Whether the Tab key reaches the button; false in a list with its own keys. */
  isTabStop?: boolean
}

/** A button that opens a list of actions. */
export function Menu({ label, icon, children, items, kind = 'quiet', head, onOpen, isTabStop = true }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const popover = list.current
    if (!isOpen || !popover || !button.current) return
    popover.showPopover()
    onOpen?.()
    placeBeside(popover, button.current)
    popover.querySelector<HTMLElement>('[role^="menuitem"]')?.focus()
  }, [isOpen])
  const shown = items.filter((item): item is MenuItem => Boolean(item))
  return (
    <>
      <button
        ref={button}
        type="button"
        class={joinClasses('ui-button', `ui-button-${kind}`, children === undefined && 'ui-button-icon')}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={label}
        title={label}
        tabIndex={isTabStop ? 0 : -1}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {icon && <Icon name={icon} />}
        {children !== undefined && <span>{children}</span>}
        {children !== undefined && <Icon name="chevron-down" size={14} />}
      </button>
      {isOpen && (
        <div
          ref={list}
          id={id}
          popover="auto"
          class="menu-popover"
          role="menu"
          aria-label={label}
          onToggle={(event) => event.newState === 'closed' && setOpen(false)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') button.current?.focus()
            else if (event.key === 'Tab') setOpen(false)
            else moveFocus(event)
          }}
        >
          {head}
          {shown.map((item, index) => (
            <MenuEntry
              key={item.keepsOpen === true ? index : item.title}
              item={item}
              onDone={() => item.keepsOpen !== true && setOpen(false)}
            />
          ))}
        </div>
      )}
    </>
  )
}

function MenuEntry({ item, onDone }: { item: MenuItem; onDone: () => void }) {
  const { title, icon, href, onSelect, isDangerous, isChecked, startsGroup, groupTitle } = item
  const className = joinClasses(
    'menu-item',
    isDangerous && 'menu-item-danger',
    startsGroup && groupTitle === undefined && 'menu-item-group',
  )
  const content = (
    <>
      {icon && <Icon name={icon} />}
      <span>{title}</span>
      {isChecked === true && <Icon name="check" />}
    </>
  )
  const role = isChecked === undefined ? 'menuitem' : 'menuitemradio'
  const entry =
    href === undefined ? (
      <button
        type="button"
        role={role}
        aria-checked={isChecked}
        tabIndex={-1}
        class={className}
        onClick={() => {
          onDone()
          onSelect?.()
        }}
      >
        {content}
      </button>
    ) : (
      <a role={role} tabIndex={-1} class={className} href={href} onClick={onDone}>
        {content}
      </a>
    )
  return (
    <>
      {groupTitle !== undefined && (
        <small role="presentation" class={joinClasses('menu-title', startsGroup && 'menu-item-group')}>
          {groupTitle}
        </small>
      )}
      {entry}
    </>
  )
}

/** Moves the focus among the entries with the arrow keys and by the first letter. */
function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const entries = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^="menuitem"]')]
  const at = entries.indexOf(document.activeElement as HTMLElement)
  const byKey: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }
  let target = byKey[event.key]
  if (target === undefined && /^\S$/.test(event.key)) {
    const letter = event.key.toLowerCase()
    const later = [...entries.keys()].map((offset) => (at + 1 + offset) % entries.length)
    target = later.find((index) => entries[index]?.textContent?.trim().toLowerCase().startsWith(letter))
  }
  if (target === undefined) return
  event.preventDefault()
  entries.at(target % entries.length)?.focus()
}

/** Places a popover below its button, or above it if there is no space, within the window. */
export function placeBeside(popover: HTMLElement, button: HTMLElement): void {
  const gap = 4
  const margin = 8
  const anchor = button.getBoundingClientRect()
  const { width, height } = popover.getBoundingClientRect()
  const isRightToLeft = getComputedStyle(button).direction === 'rtl'
  const fitsBelow = anchor.bottom + gap + height <= window.innerHeight - margin
  const top = fitsBelow ? anchor.bottom + gap : Math.max(margin, anchor.top - gap - height)
  const wanted = isRightToLeft ? anchor.right - width : anchor.left
  const left = Math.max(margin, Math.min(wanted, window.innerWidth - width - margin))
  popover.style.top = `${top}px`
  popover.style.left = `${left}px`
}
