import { resolveLevel } from '../../access/content-roles.ts'
import type { DefaultLevel } from '../../contract/roles.ts'
import type { Row } from '../../schema/tables.ts'
import type { ResolvedLevel, StoredLevel } from '../../schema/values.ts'

export function presentDefaultLevel(level: StoredLevel): DefaultLevel {
  return level === 'none' ? null : level
}

export function toStoredLevel(level: DefaultLevel): StoredLevel {
  return level ?? 'none'
}

/** Resolves the default level of content in a collection, or at the top of its organization (undefined). */
export function resolveLevelInCollection(
  parent: Pick<Row<'collections'>, 'resolved_level'> | undefined,
  level: StoredLevel,
): ResolvedLevel {
  return resolveLevel(level, parent?.resolved_level ?? 'organization')
}
