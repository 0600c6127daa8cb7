import { signal } from '@preact/signals'
import { listShortcuts } from '../shortcuts.ts'
import { Dialog } from './dialog.tsx'
import { uiTexts } from './ui-texts.ts'

const isOpen = signal(false)

export const openShortcuts = (): void => void (isOpen.value = true)

/** Lists the shortcuts of the shown screen. */
export function ShortcutsDialog() {
  if (!isOpen.value) return null
  const byKeys = new Map(listShortcuts().map((shortcut) => [shortcut.keys, shortcut]))
  return (
    <Dialog title={uiTexts.shortcuts} onClose={() => (isOpen.value = false)}>
      <dl class="shortcuts">
        {[...byKeys.values()].map(({ keys, title }) => (
          <div key={keys}>
            <dt>{title}</dt>
            <dd>
              {keys.split(/[ +]/).map((key) => (
                <kbd key={key}>{key === 'mod' ? 'Ctrl' : key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
