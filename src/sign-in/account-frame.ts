import { type Html, attributes, markup } from '../render/html.ts'
import type { SiteShell } from '../render/shell/parts.ts'
import type { PageContext } from './context.ts'
import { toHref } from './href.ts'

/** Sections of the account, as in the navigation of the app (`src/app/screens/account/account-frame.tsx`). */
const sections = [
  { title: 'Profile', icon: 'user', path: '/app/account' },
  { title: 'Sign-in and security', icon: 'shield-lock', path: '/account' },
  { title: 'Sessions', icon: 'device-desktop', path: '/app/account/sessions' },
  { title: 'API tokens', icon: 'key', path: '/app/account/tokens' },
  { title: 'Apps', icon: 'apps', path: '/app/account/apps' },
  { title: 'Notifications', icon: 'bell', path: '/app/account/notifications' },
]

/** Renders a page of the account with the navigation beside it. */
export function renderAccountFrame(context: PageContext, shell: SiteShell, content: Html): Html {
  const links = sections.map(({ title, icon, path }) => {
    const isCurrent = path === '/account'
    return markup`<li><a${attributes({ class: 'sidebar-link', href: toHref(context, path), 'aria-current': isCurrent ? 'page' : undefined })}>${shell.icon(icon)}<span>${title}</span></a></li>`
  })
  return markup`<div class="frame-body has-sidebar"><nav class="account-nav" aria-label="Account"><ul class="sidebar-links">${links}</ul></nav><main id="main" tabindex="-1" class="frame-main"><div class="account">${content}</div></main></div>`
}
