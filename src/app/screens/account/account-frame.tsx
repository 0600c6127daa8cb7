import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { appHref, serverHref } from '../../base-path.ts'
import { followOrganization } from '../../live.ts'
import { address } from '../../router.ts'
import { readLastOrganization } from '../../session.ts'
import { Frame } from '../../ui/frame.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { IconName } from '../../ui/icons.ts'
import { accountTexts as texts } from './account-texts.ts'

/** The frame of the screens of the account. Pages of the server have the same navigation (`src/sign-in/account-frame.ts`). */
export function AccountFrame({ title, hint, children }: { title: string; hint?: string; children: ComponentChildren }) {
  useEffect(() => followOrganization(readLastOrganization()), [])
  return (
    <Frame
      crumbs={[{ title: texts.title, path: '/account' }, { title }]}
      sidebarLabel={texts.title}
      sidebar={
        <ul class="sidebar-links">
          <AccountLink icon="user" title={texts.profile} href={appHref('/account')} />
          <AccountLink icon="shield-lock" title={texts.security} href={serverHref('/account')} />
          <AccountLink icon="device-desktop" title={texts.sessions} href={appHref('/account/sessions')} />
          <AccountLink icon="key" title={texts.tokens} href={appHref('/account/tokens')} />
          <AccountLink icon="apps" title={texts.apps} href={appHref('/account/apps')} />
          <AccountLink icon="bell" title={texts.notifications} href={appHref('/account/notifications')} />
        </ul>
      }
    >
      <div class="account-screen">
        <h1 class="screen-title">{title}</h1>
        {hint !== undefined && <p class="quiet">{hint}</p>}
        {children}
      </div>
    </Frame>
  )
}

function AccountLink({ icon, title, href }: { icon: IconName; title: string; href: string }) {
  return (
    <li>
      <a class="sidebar-link" href={href} aria-current={href === appHref(address.value.path) ? 'page' : undefined}>
        <Icon name={icon} />
        <span>{title}</span>
      </a>
    </li>
  )
}
