import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { isAccessChanged } from '../connection.ts'
import { address, navigate, setQuery } from '../router.ts'
import { readLastOrganization } from '../session.ts'
import { useShortcuts } from '../shortcuts.ts'
import { DialogHost } from './confirm.tsx'
import { LanguageDialog } from './language-dialog.tsx'
import { isPaletteOpen, openPalette } from './palette-state.ts'
import { ShortcutsDialog, openShortcuts } from './shortcuts.tsx'
import { ToastHost, showToast } from './toasts.tsx'
import { uiTexts } from './ui-texts.ts'

/** Parts that exist once beside the screens: messages, dialogs, the command palette and its shortcuts. */
export function GlobalParts() {
  const search = address.value.query.get('search')
  useEffect(() => {
    // Search buttons of pages lead to an address with a query.
    if (search === null) return
    openPalette(search)
    setQuery('search', undefined)
  }, [search])
  useAccessMessage()
  useShortcuts([
    { keys: 'mod+k', title: uiTexts.searchHint, run: () => openPalette() },
    { keys: '?', title: uiTexts.shortcuts, run: openShortcuts },
    { keys: 'g h', title: uiTexts.home, run: () => navigate('') },
    { keys: 'g c', title: uiTexts.changeRequests, run: openChangeRequests },
  ])
  return (
    <>
      <PaletteOnDemand />
      <ShortcutsDialog />
      <LanguageDialog />
      <ToastHost />
      <DialogHost />
    </>
  )
}

/** Says that the access of the user has changed; on the next screen, this is no longer of interest. */
function useAccessMessage(): void {
  const { path } = address.value
  useEffect(() => void (isAccessChanged.value = false), [path])
  useEffect(() => {
    if (isAccessChanged.value) showToast(uiTexts.accessChanged)
  }, [isAccessChanged.value])
}

/** Opens the change requests of the organization that was shown last. */
function openChangeRequests(): void {
  const organizationId = readLastOrganization()
  if (organizationId !== undefined) navigate(`/orgs/${organizationId}/change-requests`)
}

/** Loads the command palette when it is opened. */
function PaletteOnDemand() {
  const palette = useSignal<ComponentType | undefined>(undefined)
  useEffect(() => {
    if (isPaletteOpen.value && !palette.value)
      void import('../screens/palette/palette.tsx').then((module) => (palette.value = module.Palette))
  }, [isPaletteOpen.value])
  const Palette = palette.value
  return isPaletteOpen.value && Palette ? <Palette /> : null
}
