import { appHref, serverHref } from '../base-path.ts'
import { signOut, useUser } from '../session.ts'
import { type Theme, setTheme, theme, themes } from '../theme.ts'
import { Avatar } from './avatar.tsx'
import { Menu } from './menu.tsx'
import { openLanguages, openShortcuts } from './open-dialog.ts'
import { showError } from './toasts.tsx'
import { uiTexts } from './ui-texts.ts'

/** Menu of the signed-in user, with the settings of this browser. */
export function UserMenu() {
  const user = useUser()
  const titles: Record<Theme, string> = {
    system: uiTexts.themeSystem,
    light: uiTexts.themeLight,
    dark: uiTexts.themeDark,
  }
  const icons = { system: 'device-desktop', light: 'sun', dark: 'moon' } as const
  return (
    <Menu
      label={uiTexts.userMenu}
      head={
        <p class="menu-head">
          <Avatar person={{ displayName: user?.displayName ?? '', photoURL: user?.photoURL }} size={28} />
          <span>
            {user?.displayName}
            <small>{user?.email}</small>
          </span>
        </p>
      }
      icon="user"
      items={[
        { title: uiTexts.account, icon: 'gear', href: appHref('/account') },
        user?.operator === true && { title: uiTexts.server, icon: 'stack', href: appHref('/operator') },
        { title: uiTexts.shortcuts, icon: 'keyboard', onSelect: openShortcuts },
        { title: uiTexts.apiReference, icon: 'code', href: serverHref('/docs/api') },
        { title: uiTexts.language, icon: 'language', onSelect: openLanguages },
        ...themes.map((one, index) => ({
          title: titles[one],
          icon: icons[one],
          isChecked: theme.value === one,
          startsGroup: index === 0,
          onSelect: () => setTheme(one),
        })),
        { title: uiTexts.signOut, icon: 'logout', onSelect: () => void signOut().catch(showError), startsGroup: true },
      ]}
    />
  )
}
