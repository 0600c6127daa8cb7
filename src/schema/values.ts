import type { Role } from '../contract/roles.ts'

export type Flag = 0 | 1
export const flag = (value: boolean): Flag => (value ? 1 : 0)

/** A stored role; `guest` is what the API calls null. */
export type StoredRole = Role | 'guest'
/** A stored default level; `none` is what the API calls null. */
export type StoredLevel = Role | 'none' | 'inherit'
/** A default level with its inheritance resolved: a role, none, or each member's role in the organization. */
export type ResolvedLevel = Role | 'none' | 'organization'
