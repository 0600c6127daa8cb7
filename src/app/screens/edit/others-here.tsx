import { Avatar } from '../../ui/avatar.tsx'
import { editTexts as texts } from './edit-texts.ts'
import type { PagePlace } from './page-text.ts'
import { usePresence } from './use-presence.ts'

/** Shows who else edits the page. */
export function OthersHere({ place }: { place: PagePlace }) {
  const others = usePresence(place)
  if (others.length === 0) return null
  return (
    <ul class="edit-others" aria-label={texts.here}>
      {others.map((user) => (
        <li key={user.id} title={user.displayName}>
          <Avatar person={user} />
          <span class="sr-only">{user.displayName}</span>
        </li>
      ))}
    </ul>
  )
}
