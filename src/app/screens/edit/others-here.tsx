import type { ReadonlySignal } from '@preact/signals'
import { Avatar } from '../../ui/avatar.tsx'
import { editTexts as texts } from './edit-texts.ts'
import type { PagePlace } from './page-text.ts'
import { useOthers, usePresence } from './use-presence.ts'

interface OthersHereProps {
  place: PagePlace
  /** Key of the block with the cursor. */
  block: ReadonlySignal<string | undefined> | undefined
}

/** Shows who else is editing the page, and reports the position of the user to them. */
export function OthersHere({ place, block }: OthersHereProps) {
  usePresence(place, block)
  const others = new Map(useOthers(place).map(({ user }) => [user.id, user]))
  if (others.size === 0) return null
  return (
    <ul class="edit-others" aria-label={texts.here}>
      {[...others.values()].map((user) => (
        <li key={user.id} title={user.displayName}>
          <Avatar person={user} />
          <span class="sr-only">{user.displayName}</span>
        </li>
      ))}
    </ul>
  )
}
