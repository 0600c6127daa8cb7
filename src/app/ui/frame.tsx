import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { appHref } from '../base-path.ts'
import { address } from '../router.ts'
import { setTitle } from '../title.ts'
import { Bell } from './bell.tsx'
import { Button } from './button.tsx'
import { joinClasses } from './classes.ts'
import { Icon } from './icon.tsx'
import { openPalette } from './palette-state.ts'
import { Logo } from './logo.tsx'
import { UserMenu } from './user-menu.tsx'
import { uiTexts } from './ui-texts.ts'

export interface Crumb {
  title: string
  /** Path of a screen; the last crumb has none. */
  path?: string
  /** Shown before the title. */
  icon?: ComponentChildren
}

interface FrameProps {
  /** Location in the top bar, from the organization to the current resource. */
  crumbs?: readonly Crumb[]
  /** Title of the window; by default that of the last crumb. */
  title?: string | undefined
  /** Navigation at the start of the screen; a drawer on phones. */
  sidebar?: ComponentChildren
  sidebarLabel?: string
  /** Panel at the end of the screen, for example comments. */
  aside?: ComponentChildren
  asideLabel?: string
  children: ComponentChildren
  /** Whether the content uses the full width. */
  isWide?: boolean
}

/** The frame of all screens: top bar, navigation, content and a panel beside it. */
export function Frame({
  crumbs = [],
  title,
  sidebar,
  sidebarLabel,
  aside,
  asideLabel,
  children,
  isWide = false,
}: FrameProps) {
  const [isSidebarOpen, setSidebarOpen] = useState(false)
  const toggle = useRef<HTMLSpanElement>(null)
  const { path, query } = address.value
  // The selection in the navigation is part of the path or of the query.
  useEffect(() => setSidebarOpen(false), [path, query.toString()])
  const closeWithEscape = (event: KeyboardEvent) => {
    // Escape closes an open menu of the navigation first.
    const isInMenu = event.target instanceof Element && event.target.closest('[popover]') !== null
    if (event.key !== 'Escape' || isInMenu || !isSidebarOpen) return
    setSidebarOpen(false)
    toggle.current?.querySelector('button')?.focus()
  }
  const windowTitle = title ?? crumbs.at(-1)?.title
  useEffect(() => setTitle(windowTitle), [windowTitle])
  return (
    <div class="app-frame">
      <a class="skip" href="#main">
        {uiTexts.skipToContent}
      </a>
      <header class="bar">
        {sidebar !== undefined && (
          <span ref={toggle} class="bar-toggle" onKeyDown={closeWithEscape}>
            <Button
              kind="quiet"
              icon={isSidebarOpen ? 'x' : 'menu'}
              label={isSidebarOpen ? uiTexts.closeNavigation : uiTexts.openNavigation}
              aria-expanded={isSidebarOpen}
              onClick={() => setSidebarOpen(!isSidebarOpen)}
            />
          </span>
        )}
        <a class="bar-home" href={appHref('')} aria-label={uiTexts.home} title={uiTexts.home}>
          <Logo />
        </a>
        <Crumbs crumbs={crumbs} />
        <button type="button" class="bar-search" title={uiTexts.searchHint} onClick={() => openPalette()}>
          <Icon name="search" />
          <span>{uiTexts.search}</span>
          <kbd>{isMac ? '⌘' : 'Ctrl'} K</kbd>
        </button>
        <Bell />
        <UserMenu />
      </header>
      <div
        class={joinClasses('frame-body', sidebar !== undefined && 'has-sidebar', aside !== undefined && 'has-aside')}
      >
        {sidebar !== undefined && (
          <nav
            class={joinClasses('frame-sidebar', isSidebarOpen && 'is-open')}
            aria-label={sidebarLabel}
            onKeyDown={closeWithEscape}
            // On the current screen, the address does not change.
            onClick={({ target }) => target instanceof Element && target.closest('a[href]') && setSidebarOpen(false)}
          >
            {sidebar}
          </nav>
        )}
        <main id="main" tabIndex={-1} class={joinClasses('frame-main', isWide && 'is-wide')}>
          {children}
        </main>
        {aside !== undefined && (
          <aside class="frame-aside" aria-label={asideLabel}>
            {aside}
          </aside>
        )}
      </div>
    </div>
  )
}

function Crumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav class="bar-crumbs" aria-label={uiTexts.breadcrumbs}>
      <ol>
        {crumbs.map(({ title, path, icon }, index) => (
          <li key={index}>
            {icon}
            {/* A link needs a name, and titles that are being read have none yet. */}
            {path === undefined || title === '' ? (
              <span aria-current={path === undefined ? 'page' : undefined}>{title}</span>
            ) : (
              <a href={appHref(path)}>{title}</a>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

const isMac = /Mac|iP(?:hone|ad)/.test(navigator.platform)
