import { readContentIcon } from '../data/content-icons.ts'
import { toEmoji } from '../screens/organization/space-rows.ts'

interface ContentIconProps {
  emoji?: string | undefined
  /** Name of an icon. */
  icon?: string | undefined
}

/** Shows the emoji or the icon of a page or tag as published sites show it; nothing if it has none. */
export function ContentIcon({ emoji, icon }: ContentIconProps) {
  const character = toEmoji(emoji)
  if (character !== '') return <span class="emoji">{character}</span>
  if (icon === undefined || icon === '') return null
  const svg = readContentIcon(icon)
  // The server draws the icon, because its shapes are not part of the app.
  return <span class="content-icon" aria-hidden="true" dangerouslySetInnerHTML={{ __html: svg ?? '' }} />
}
