import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useQuery } from '../data/query.ts'
import { countText } from '../texts.ts'
import { Icon } from './icon.tsx'
import { placeBeside } from './menu.tsx'
import { Loading } from './states.tsx'
import { uiTexts } from './ui-texts.ts'

/** Maximum number that is shown; larger numbers are shown as `99+`. */
const maxShown = 99

/** Shows how many notifications are unread, and opens the latest ones. */
export function Bell() {
  const [isOpen, setOpen] = useState(false)
  const unread = useQuery('GET /user/notifications/count').data?.unread ?? 0
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  const Latest = useLatestNotifications(isOpen)
  useEffect(() => {
    if (!isOpen || !popover.current || !button.current) return
    popover.current.showPopover()
    placeBeside(popover.current, button.current)
    popover.current.focus()
  }, [isOpen])
  return (
    <>
      <button
        ref={button}
        type="button"
        class="ui-button ui-button-quiet ui-button-icon bell"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={unread === 0 ? uiTexts.notifications : countText(uiTexts.unreadNotifications, unread)}
        title={uiTexts.notifications}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="bell" />
        {unread > 0 && (
          <span class="bell-count" aria-hidden="true">
            {unread > maxShown ? `${maxShown}+` : unread}
          </span>
        )}
      </button>
      {isOpen && (
        <div
          ref={popover}
          id={id}
          popover="auto"
          tabIndex={-1}
          class="menu-popover bell-popover"
          role="dialog"
          aria-label={uiTexts.notifications}
          onToggle={(event) => event.newState === 'closed' && setOpen(false)}
          onKeyDown={(event) => event.key === 'Escape' && button.current?.focus()}
        >
          {Latest ? <Latest onClose={() => setOpen(false)} /> : <Loading />}
        </div>
      )}
    </>
  )
}

/** Loads the list when it is opened for the first time. */
function useLatestNotifications(isOpen: boolean): ComponentType<{ onClose: () => void }> | undefined {
  const component = useSignal<ComponentType<{ onClose: () => void }> | undefined>(undefined)
  useEffect(() => {
    if (isOpen && !component.value)
      void import('../screens/notifications/latest.tsx').then(
        (module) => (component.value = module.LatestNotifications),
      )
  }, [isOpen])
  return component.value
}
