import { useEffect, useState } from 'preact/hooks'
import type { User } from '../../../contract/shared.ts'
import { request } from '../../api.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { commentTexts } from './comment-texts.ts'

/** Delay before members are searched, in milliseconds, so that not every key sends a request. */
const searchDelay = 120
const maxMembers = 6

/** Returns the members whose name contains a text; none without a text or if the user may not list members. */
export function useMembers(organizationId: string, query: string | undefined): readonly User[] {
  const [found, setFound] = useState<readonly User[]>([])
  useEffect(() => {
    if (query === undefined) return setFound([])
    let isCurrent = true
    const timer = setTimeout(() => {
      request('GET /orgs/{organizationId}/members', {
        params: { organizationId },
        query: { search: query, sort: 'name', order: 'asc', limit: maxMembers },
      }).then(
        ({ items }) => isCurrent && setFound(items.map(({ user }) => user)),
        () => isCurrent && setFound([]),
      )
    }, searchDelay)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [organizationId, query])
  return found
}

interface MentionListProps {
  id: string
  members: readonly User[]
  /** Index of the member that the Enter key chooses. */
  active: number
  onChoose: (member: User) => void
}

/** Members that can be mentioned; the field above it keeps the focus. */
export function MentionList({ id, members, active, onChoose }: MentionListProps) {
  return (
    <ul id={id} class="mention-list" role="listbox" aria-label={commentTexts.members}>
      {members.map((member, index) => (
        <li
          key={member.id}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          onPointerDown={(event) => {
            event.preventDefault()
            onChoose(member)
          }}
        >
          <Avatar person={member} size={20} />
          <span>{member.displayName}</span>
          <small>{member.email}</small>
        </li>
      ))}
    </ul>
  )
}
