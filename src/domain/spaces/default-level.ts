import { resolveLevel } from '../../access/content.ts'
import type { DefaultLevel } from '../../contract/roles.ts'
import type { Row } from '../../schema/tables.ts'
import type { ResolvedLevel, StoredLevel } from '../../schema/values.ts'

export function presentLevel(level: StoredLevel): DefaultLevel {
  return level === 'none' ? null : level
}

export function toStoredLevel(level: DefaultLevel): StoredLevel {
  return level ?? 'none'
}

/** Resolves the default level of content in a collection, or at the top of its organization (undefined). */
export function resolveLevelIn(
  parent: Pick<Row<'collections'>, 'resolved_level'> | undefined,
  level: StoredLevel,
): ResolvedLevel {
  return resolveLevel(level, parent?.resolved_level ?? 'organization')
}
