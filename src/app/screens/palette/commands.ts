import { signOut } from '../../session.ts'
import { setTheme } from '../../theme.ts'
import { openLanguages, openShortcuts } from '../../ui/open-dialog.ts'
import { showError } from '../../ui/toasts.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import type { PaletteEntry } from './entries.ts'
import { paletteTexts as texts } from './palette-texts.ts'

interface CommandContext {
  organizationId: string | undefined
  /** ID of the current space. */
  spaceId: string | undefined
  canCreate: boolean
}

/** Returns the commands that are available on the current screen. */
export function listCommands({ organizationId, spaceId, canCreate }: CommandContext): PaletteEntry[] {
  const organization = organizationId === undefined ? undefined : `/orgs/${organizationId}`
  const commands: (PaletteEntry | false | undefined)[] = [
    spaceId !== undefined && {
      id: 'space-search',
      title: texts.searchInSpace,
      icon: 'search',
      path: `/spaces/${spaceId}/search`,
    },
    spaceId !== undefined && {
      id: 'space-change-requests',
      title: texts.changeRequestsOfSpace,
      icon: 'git-pull-request',
      path: `/spaces/${spaceId}/change-requests`,
    },
    organization !== undefined &&
      canCreate && { id: 'new', title: texts.newSpace, icon: 'plus', path: `${organization}/new` },
    { id: 'home', title: texts.home, icon: 'home', path: organization ?? '' },
    organization !== undefined && {
      id: 'change-requests',
      title: texts.allChangeRequests,
      icon: 'git-pull-request',
      path: `${organization}/change-requests`,
    },
    organization !== undefined && { id: 'sites', title: texts.sites, icon: 'world', path: `${organization}/sites` },
    { id: 'light', title: texts.themeLight, icon: 'sun', run: () => setTheme('light') },
    { id: 'dark', title: texts.themeDark, icon: 'moon', run: () => setTheme('dark') },
    { id: 'system', title: texts.themeSystem, icon: 'device-desktop', run: () => setTheme('system') },
    { id: 'language', title: uiTexts.language, icon: 'language', run: openLanguages },
    { id: 'shortcuts', title: uiTexts.shortcuts, icon: 'keyboard', run: openShortcuts },
    { id: 'notifications', title: uiTexts.notifications, icon: 'bell', path: '/notifications' },
    { id: 'account', title: texts.account, icon: 'gear', path: '/account' },
    { id: 'sign-out', title: uiTexts.signOut, icon: 'logout', run: () => void signOut().catch(showError) },
  ]
  return commands
    .filter((command) => command !== false && command !== undefined)
    .map((command) => ({ ...command, id: `command-${command.id}` }))
}
