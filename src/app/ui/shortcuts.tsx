import { listShortcuts } from '../shortcuts.ts'
import { Dialog } from './dialog.tsx'
import { uiTexts } from './ui-texts.ts'

/** Lists the shortcuts of the current screen. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const byKeys = new Map(listShortcuts().map((shortcut) => [shortcut.keys, shortcut]))
  return (
    <Dialog title={uiTexts.shortcuts} onClose={onClose}>
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
