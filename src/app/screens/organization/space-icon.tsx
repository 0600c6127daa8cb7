import { Icon } from '../../ui/icon.tsx'
import { toEmoji } from './space-rows.ts'

/** Shows the emoji of a space, or an icon if it has none. */
export function SpaceIcon({ emoji }: { emoji: string | undefined }) {
  const character = toEmoji(emoji)
  return character === '' ? <Icon name="book" /> : <span class="emoji">{character}</span>
}
