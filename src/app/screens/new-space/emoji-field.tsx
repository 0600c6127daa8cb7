import { newSpaceTexts as texts } from './new-space-texts.ts'

/** Emoji that are offered for a space. */
const choices = [
  '📘',
  '📗',
  '📕',
  '📙',
  '📚',
  '📝',
  '🚀',
  '🧭',
  '🛠️',
  '⚙️',
  '🧩',
  '🔌',
  '🔐',
  '💡',
  '🎓',
  '🏠',
  '🌍',
  '❤️',
]

/** Chooses the emoji of a space. */
export function EmojiField({ value, onChange }: { value: string; onChange: (emoji: string) => void }) {
  return (
    <fieldset class="radio-choice">
      <legend>{texts.emoji}</legend>
      <div class="emoji-list">
        {['', ...choices].map((emoji) => (
          <label key={emoji} class="emoji-choice">
            <input
              type="radio"
              name="emoji"
              aria-label={emoji || texts.noEmoji}
              checked={emoji === value}
              onChange={() => onChange(emoji)}
            />
            <span aria-hidden="true">{emoji || texts.noEmoji}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
