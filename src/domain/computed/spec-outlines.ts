import type { StoredOutline } from '../../openapi/former-paths.ts'
import type { Db } from '../../schema/tables.ts'
import { findOutline } from '../openapi/openapi-store.ts'
import type { OutlinedSpec, SpecOutlines } from './openapi-source.ts'

/** Opens the outlines of an organization's specifications; each is read once. */
export function openSpecOutlines(db: Db, organizationId: string): SpecOutlines {
  const found = new Map<string, Promise<OutlinedSpec | undefined>>()
  const read = async (name: string): Promise<OutlinedSpec | undefined> => {
    const row = await findOutline(db, organizationId, name)
    if (!row) return undefined
    const { outline, former } = JSON.parse(row.outline) as StoredOutline
    return { outline, former, isPublic: row.visibility === 'public', createdAt: row.created_at }
  }
  return {
    find(name) {
      const pending = found.get(name) ?? read(name)
      found.set(name, pending)
      return pending
    },
    names: () => [...found.keys()],
  }
}
