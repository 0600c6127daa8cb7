import { type Attributes, findWritable, toCanonicalValue } from './canonical.ts'
import { ScimError } from './errors.ts'
import type { Filter } from './filter.ts'
import type { PatchOperation } from './patch-body.ts'
import { groupBodyAttributes } from './schemas.ts'

/** Maximum number of members that one request can name. */
export const maxMembersPerRequest = 1000

/** Changes of the members of a group, which need not be loaded to apply them. */
export interface MemberChanges {
  /** Whether all members but the added ones are removed. */
  replacesAll: boolean
  added: Set<string>
  removed: Set<string>
}

/** Changes of a group. Attributes that are absent stay as they are; null removes them. */
export interface GroupChanges {
  attributes: Attributes
  members: MemberChanges
}

/** Returns the changes that the operations of a PATCH request make together. */
export function planGroupChanges(operations: readonly PatchOperation[]): GroupChanges {
  const attributes: Attributes = {}
  const members: MemberChanges = { replacesAll: false, added: new Set(), removed: new Set() }
  for (const operation of operations) {
    const definition = findWritable(groupBodyAttributes, operation.path.attribute)
    if (definition?.name === 'members') applyToMembers(members, operation)
    else if (definition) attributes[definition.name] = operation.op === 'remove' ? null : operation.value
    if (members.added.size + members.removed.size > maxMembersPerRequest) throw tooManyMembers()
  }
  return { attributes, members }
}

function applyToMembers(changes: MemberChanges, { op, path, value }: PatchOperation): void {
  if (path.subAttribute !== undefined || (path.filter && op !== 'remove')) {
    throw new ScimError('invalidPath', 'path: members can only be added, replaced or removed as a whole')
  }
  const ids = path.filter ? readFilteredIds(path.filter) : readMemberIds(value)
  if (op === 'replace' || (op === 'remove' && !path.filter && ids.length === 0)) {
    changes.replacesAll = true
    changes.added.clear()
    changes.removed.clear()
  }
  const [growing, shrinking] = op === 'remove' ? [changes.removed, changes.added] : [changes.added, changes.removed]
  for (const id of ids) {
    growing.add(id)
    shrinking.delete(id)
  }
}

/** Returns the ids of the users in a list of members. */
export function readMemberIds(value: unknown): string[] {
  const definition = findWritable(groupBodyAttributes, 'members')
  if (!definition || value === undefined || value === null) return []
  if (Array.isArray(value) && value.length > maxMembersPerRequest) throw tooManyMembers()
  return (toCanonicalValue(definition, value) as Attributes[]).map(({ value: id }) => {
    if (typeof id !== 'string' || id === '') throw new ScimError('invalidValue', 'members: value must be a string')
    return id
  })
}

/** Returns the ids in a filter such as `value eq "a" or value eq "b"`. */
function readFilteredIds(filter: Filter): string[] {
  if (filter.kind === 'or') return filter.filters.flatMap(readFilteredIds)
  const isId = filter.kind === 'compare' && filter.path.attribute === 'value' && filter.operator === 'eq'
  if (!isId || typeof filter.value !== 'string') {
    throw new ScimError('invalidFilter', 'path: members can only be selected by their value')
  }
  return [filter.value]
}

const tooManyMembers = () =>
  new ScimError(
    'invalidValue',
    `members: a request can name at most ${maxMembersPerRequest} members. Split it into several requests`,
  )
