import { useEffect } from 'preact/hooks'
import { isAccessChanged } from '../connection.ts'
import { address, navigate, setQuery } from '../router.ts'
import { readLastOrganization } from '../session.ts'
import { useShortcuts } from '../shortcuts.ts'
import { pendingQuestion } from './confirm.ts'
import { loadMoreIcons } from './icon.tsx'
import { lazy } from './lazy.tsx'
import { openDialog, openShortcuts } from './open-dialog.ts'
import { isPaletteOpen, openPalette } from './palette-state.ts'
import { ToastHost, showToast } from './toasts.tsx'
import { uiTexts } from './ui-texts.ts'

const Palette = lazy(async () => (await import('../screens/palette/palette.tsx')).Palette)
const ShortcutsDialog = lazy(async () => (await import('./shortcuts.tsx')).ShortcutsDialog)
const LanguageDialog = lazy(async () => (await import('./language-dialog.tsx')).LanguageDialog)
const QuestionDialog = lazy(async () => (await import('./question-dialog.tsx')).QuestionDialog)

/** Components that exist once beside the screens: messages, dialogs, the command palette and its shortcuts. */
export function GlobalParts() {
  const search = address.value.query.get('search')
  useEffect(() => {
    // Search buttons on pages link to an address with a query.
    if (search === null) return
    openPalette(search)
    setQuery('search', undefined)
  }, [search])
  useEffect(() => void setTimeout(preload, preloadDelay), [])
  useAccessMessage()
  useShortcuts([
    { keys: 'mod+k', title: uiTexts.searchHint, run: () => openPalette() },
    { keys: '?', title: uiTexts.shortcuts, run: openShortcuts },
    { keys: 'g h', title: uiTexts.home, run: () => navigate('') },
    { keys: 'g c', title: uiTexts.changeRequests, run: openChangeRequests },
  ])
  return (
    <>
      {isPaletteOpen.value && <Palette />}
      {openDialog.value === 'shortcuts' && <ShortcutsDialog onClose={closeDialog} />}
      {openDialog.value === 'languages' && <LanguageDialog onClose={closeDialog} />}
      <ToastHost />
      {pendingQuestion.value && <QuestionDialog {...pendingQuestion.value} />}
    </>
  )
}

/** Time in milliseconds after which the first screen no longer needs the connection. */
const preloadDelay = 2000

/** Loads modules that most users need later, so that they open immediately and without the server. */
function preload(): void {
  void loadMoreIcons()
  // If it fails, the dialog loads it again.
  void import('./question-dialog.tsx').catch(() => undefined)
}

const closeDialog = (): void => void (openDialog.value = undefined)

/** Shows that the permissions of the user have changed, until the next screen is opened. */
function useAccessMessage(): void {
  const { path } = address.value
  useEffect(() => void (isAccessChanged.value = false), [path])
  useEffect(() => {
    if (isAccessChanged.value) showToast(uiTexts.accessChanged)
  }, [isAccessChanged.value])
}

/** Opens the change requests of the organization that was opened last. */
function openChangeRequests(): void {
  const organizationId = readLastOrganization()
  if (organizationId !== undefined) navigate(`/orgs/${organizationId}/change-requests`)
}
