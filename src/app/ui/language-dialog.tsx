import { availableLanguages, language, languages, setLanguage } from '../texts.ts'
import { Dialog } from './dialog.tsx'
import { Icon } from './icon.tsx'
import { showError } from './toasts.tsx'
import { uiTexts } from './ui-texts.ts'

/** Lists the languages of the interface; the choice is remembered in this browser. */
export function LanguageDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={uiTexts.language} onClose={onClose}>
      <ul class="rows">
        {availableLanguages.map((code) => (
          <li key={code}>
            <button
              type="button"
              class="row"
              lang={code}
              aria-current={language.value === code ? 'true' : undefined}
              onClick={() => {
                onClose()
                void setLanguage(code).catch(showError)
              }}
            >
              <span class="row-title">{languages[code]}</span>
              {language.value === code && <Icon name="check" />}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
