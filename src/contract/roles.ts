import { z } from 'zod'

/** Member roles from least to most; each includes the ones before it. */
export const roles = ['read', 'comment', 'edit', 'review', 'create', 'admin'] as const

export const Role = z.enum(roles).meta({ id: 'MemberRole' })
export type Role = z.infer<typeof Role>

/** A role, or null for a guest: a member who sees only what was shared with them. */
export const RoleOrGuest = Role.nullable()
export type RoleOrGuest = Role | null

/** What content grants to every member: a role, nothing (null), or whatever its parent grants (`inherit`). */
export const DefaultLevel = z.union([Role, z.literal('inherit'), z.null()]).meta({ id: 'DefaultLevel' })
export type DefaultLevel = z.infer<typeof DefaultLevel>

/** Rank of a role; 0 for guests. */
export function roleRank(role: RoleOrGuest): number {
  return role === null ? 0 : roles.indexOf(role) + 1
}

export function roleAtRank(rank: number): RoleOrGuest {
  return roles[rank - 1] ?? null
}

/**
 * The role each action needs; null lets guests in too.
 * Authorization and the `permissions` of every resource read this one table.
 */
export const requiredRoles = {
  organization: {
    view: null,
    access: null,
    listMembers: 'read',
    listTeams: 'read',
    listIntegrations: 'read',
    listInstallations: 'read',
    createContent: 'create',
    createOpenAPISpec: 'create',
    ingestConversations: 'admin',
    viewBilling: 'admin',
    installIntegration: 'admin',
    admin: 'admin',
  },
  space: {
    view: 'read',
    access: 'read',
    comment: 'comment',
    edit: 'edit',
    review: 'review',
    merge: 'review',
    create: 'create',
    triggerGitSync: 'create',
    installIntegration: 'admin',
    viewInviteLinks: 'admin',
    admin: 'admin',
  },
  collection: {
    view: 'read',
    create: 'create',
    viewInviteLinks: 'admin',
    admin: 'admin',
  },
  site: {
    view: 'read',
    access: 'read',
    viewAdaptiveSchema: 'read',
    edit: 'create',
    create: 'create',
    publish: 'create',
    editAdaptiveSchema: 'create',
    installIntegration: 'admin',
    admin: 'admin',
  },
} as const satisfies Record<string, Record<string, RoleOrGuest>>

export type ResourceKind = keyof typeof requiredRoles
export type Action<S extends ResourceKind> = keyof (typeof requiredRoles)[S] & string

/** Whether a role is high enough for an action. */
export function isActionAllowed<S extends ResourceKind>(resource: S, action: Action<S>, role: RoleOrGuest): boolean {
  const required: RoleOrGuest = (requiredRoles[resource] as Record<string, RoleOrGuest>)[action] as RoleOrGuest
  return roleRank(role) >= roleRank(required)
}

/** Scopes that a token can be limited to. A token without scopes has all rights of its user. */
export const tokenScopes = [
  'user:read',
  'organization:read',
  'organization:write',
  'organization:members:read',
  'organization:members:write',
  'organization:ask',
  'organization:search',
  'space:read',
  'space:write',
  'space:permissions:read',
  'space:permissions:write',
  'change-request:merge',
  'site:read',
  'site:write',
  'site:publish',
  'site:permissions:read',
  'site:permissions:write',
  'site:auth:read',
  'site:auth:write',
  'site:insights:read',
  'site:ask',
  'site:search',
  'integration:read',
  'integration:installations:read',
  'integration:installations:write',
  'integration:publish',
  'integration:delete',
  'openapi:read',
  'openapi:write',
] as const

export const TokenScope = z.enum(tokenScopes).meta({ id: 'Scope' })
export type TokenScope = z.infer<typeof TokenScope>
