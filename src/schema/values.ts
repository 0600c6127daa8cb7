import type { Role } from '../contract/roles.ts'

export type Flag = 0 | 1
export const toFlag = (value: boolean): Flag => (value ? 1 : 0)

/** Stored role; `guest` is null in the API. */
export type StoredRole = Role | 'guest'
/** Stored default level; `none` is null in the API. */
export type StoredLevel = Role | 'none' | 'inherit'
/** Default level with its inheritance resolved: a role, none, or each member's role in the organization. */
export type ResolvedLevel = Role | 'none' | 'organization'
