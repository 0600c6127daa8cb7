import { toEmoji } from '../organization/space-rows.ts'
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

interface EmojiFieldProps {
  value: string
  onChange: (emoji: string) => void
  /** Emoji that the space has, which may be another one than those offered. */
  current?: string
}

/** Chooses the emoji of a space. */
export function EmojiField({ value, onChange, current = '' }: EmojiFieldProps) {
  return (
    <fieldset class="radio-choice">
      <legend>{texts.emoji}</legend>
      <div class="emoji-list">
        {[...new Set(['', ...choices, current])].map((emoji) => (
          <label key={emoji} class="emoji-choice">
            <input
              type="radio"
              name="emoji"
              aria-label={toEmoji(emoji) || texts.noEmoji}
              checked={emoji === value}
              onChange={() => onChange(emoji)}
            />
            <span aria-hidden="true">{toEmoji(emoji) || texts.noEmoji}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
