import type { Presence } from '../../contract/live-events.ts'
import type { LoadedUsers } from '../../domain/users/load-users.ts'
import { presentUser } from '../../domain/users/present-user.ts'
import type { Urls } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'

/** Presents where users are; several tabs of a user at the same place are one item. */
export function presentPresence(rows: readonly Row<'presence'>[], users: LoadedUsers, urls: Urls): Presence[] {
  const items = new Map<string, Presence>()
  for (const row of rows) {
    const key = `${row.user_id} ${row.page_id ?? ''} ${row.change_request_id ?? ''}`
    const former = items.get(key)
    const block = row.block_key ?? former?.block
    items.set(key, {
      object: 'presence',
      user: presentUser(users.get(row.user_id), urls),
      ...(row.page_id !== null && { page: row.page_id }),
      ...(row.change_request_id !== null && { changeRequest: row.change_request_id }),
      ...(block !== undefined && { block }),
      editing: row.editing === 1 || (former?.editing ?? false),
      updatedAt: row.updated_at,
    })
  }
  return [...items.values()]
}
