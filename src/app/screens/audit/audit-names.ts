import { type AuditTargetType, auditActions } from '../../../contract/audit-actions.ts'
import type { AuditEvent } from '../../../contract/audit.ts'
import { defineTexts } from '../../texts.ts'

const actionNames: Readonly<Record<string, string>> = defineTexts('auditActions', auditActions)

const targetNames: Readonly<Record<AuditTargetType, string>> = defineTexts('auditTargets', {
  user: 'user',
  job: 'job',
  session: 'session',
  token: 'token',
  passkey: 'passkey',
  'oauth-client': 'OAuth client',
  'saml-provider': 'SAML provider',
  'scim-token': 'SCIM token',
  organization: 'organization',
  member: 'member',
  invite: 'invite',
  'invite-link': 'invite link',
  team: 'team',
  collection: 'collection',
  space: 'space',
  'change-request': 'change request',
  template: 'template',
  'openapi-spec': 'OpenAPI specification',
  translation: 'translation',
  site: 'site',
  'share-link': 'share link',
})

/** Actions with their names, ordered as in the contract. */
export const listActions = (): { action: string; name: string }[] =>
  Object.keys(auditActions).map((action) => ({ action, name: nameAction(action) }))

/** Returns the name of an action; the action itself if an earlier version of the server recorded it. */
export const nameAction = (action: string): string => actionNames[action] ?? action

/** Returns the name of the type of the target of an event. */
export const nameTarget = ({ type }: AuditEvent['target']): string => targetNames[type as AuditTargetType] ?? type
