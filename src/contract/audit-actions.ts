/**
 * Actions of the audit log with their labels. A new action is added here; the tests require that every operation of the API
 * that changes something is recorded under one of them or is listed as an exception.
 */
export const auditActions = {
  'user.sign-in': 'A user signed in',
  'user.sign-in-failed': 'A sign-in failed',
  'user.sign-out': 'A user signed out',
  'user.update': 'A user changed their account',
  'session.revoke': 'A session was revoked',
  'password.set': 'A password was set',
  'password.remove': 'A password was removed',
  'passkey.add': 'A passkey was added',
  'passkey.remove': 'A passkey was removed',
  'identity.connect': 'An account of an OpenID Connect provider was connected',
  'identity.disconnect': 'An account of an OpenID Connect provider was disconnected',
  'second-factor.enable': 'A second factor was enabled',
  'second-factor.disable': 'A second factor was disabled',
  'token.create': 'An API token was created',
  'token.revoke': 'An API token was revoked',
  'oauth.client-authorize': 'A user authorized an OAuth client',
  'oauth.client-revoke': 'The authorization of an OAuth client was revoked',
  'saml.create': 'A SAML provider was created',
  'saml.update': 'A SAML provider was changed',
  'saml.delete': 'A SAML provider was deleted',
  'certificate.expiring': 'The certificate of a SAML provider will expire soon',
  'certificate.expired': 'The certificate of a SAML provider has expired',
  'scim.token-create': 'A SCIM token was created',
  'scim.token-revoke': 'A SCIM token was revoked',
  'scim.user-create': 'A user was provisioned with SCIM',
  'scim.user-update': 'A user was changed with SCIM',
  'scim.user-deactivate': 'A user was deactivated with SCIM',
  'scim.user-delete': 'A user was removed with SCIM',
  'scim.group-create': 'A team was created with SCIM',
  'scim.group-update': 'A team was changed with SCIM',
  'scim.group-delete': 'A team was deleted with SCIM',
  'organization.create': 'The organization was created',
  'organization.update': 'The settings of the organization were changed',
  'organization.delete': 'The organization was deleted',
  'member.add': 'A member was added',
  'member.join': 'A user joined the organization',
  'member.update': 'A member was changed',
  'member.remove': 'A member was removed',
  'invite.create': 'A person was invited by email',
  'invite.delete': 'An email invite was deleted',
  'invite-link.create': 'An invite link was created',
  'invite-link.update': 'An invite link was changed',
  'invite-link.delete': 'An invite link was deleted',
  'team.create': 'A team was created',
  'team.update': 'A team was changed',
  'team.delete': 'A team was deleted',
  'team.members-update': 'The members of a team were changed',
  'permission.grant': 'A user or team was given access to content',
  'permission.revoke': 'A user or team lost access to content',
  'collection.create': 'A collection was created',
  'collection.update': 'A collection was changed',
  'collection.move': 'A collection was moved',
  'collection.transfer': 'A collection was transferred to another organization',
  'collection.delete': 'A collection was deleted',
  'space.create': 'A space was created',
  'space.update': 'The settings of a space were changed',
  'space.move': 'A space was moved',
  'space.transfer': 'A space was transferred to another organization',
  'space.delete': 'A space was deleted',
  'space.restore': 'A deleted space was restored',
  'space.purge': 'A deleted space was removed permanently',
  'space.import': 'Content was imported into a space',
  'space.export': 'A PDF of a space was made',
  'change-request.merge': 'A change request was merged',
  'git.configure': 'The Git connection of a space was changed',
  'git.disconnect': 'The Git connection of a space was removed',
  'git.webhook-create': 'The secret of a Git webhook was created',
  'git.import': 'An import from Git was started',
  'git.export': 'An export to Git was started',
  'translation-engine.set': 'The translation engine of the organization was changed',
  'translation-engine.remove': 'The translation engine of the organization was removed',
  'template.create': 'A template was created',
  'template.delete': 'A template was deleted',
  'openapi.create': 'An OpenAPI specification was created',
  'openapi.update': 'An OpenAPI specification was changed',
  'openapi.delete': 'An OpenAPI specification was deleted',
  'translation.create': 'A translation was created',
  'translation.update': 'A translation was changed',
  'translation.delete': 'A translation was deleted',
  'translation.run': 'A translation was run',
  'translation.cancel': 'The run of a translation was cancelled',
  'translation.resolve': 'A finding of a translation was resolved',
  'translation.clear-memory': 'The translation memory was cleared',
  'glossary.update': 'The glossary was changed',
  'site.create': 'A site was created',
  'site.update': 'The settings of a site were changed',
  'site.publish': 'A site was published',
  'site.unpublish': 'A site was unpublished',
  'site.delete': 'A site was deleted',
  'site.structure-update': 'The structure of a site was changed',
  'site.customization-update': 'The customization of a site was changed',
  'site.redirects-update': 'The redirects of a site were changed',
  'site.adaptive-schema-update': 'The adaptive schema of a site was changed',
  'site.search-update': 'The search settings of a site were changed',
  'site.auth-update': 'The visitor authentication of a site was changed',
  'site.auth-key-regenerate': 'The key for visitor authentication of a site was regenerated',
  'site.hostname-remove': 'The custom hostname of a site was removed',
  'share-link.create': 'A share link was created',
  'share-link.update': 'A share link was changed',
  'share-link.delete': 'A share link was deleted',
  'audit.settings-update': 'The retention period of the audit log was changed',
  'audit.export': 'The audit log was exported',
  'job.retry': 'A failed job was run again',
} as const satisfies Record<string, string>

export type AuditAction = keyof typeof auditActions

/** Kinds of things that an event can be about. */
export type AuditTargetType =
  | 'user'
  | 'job'
  | 'session'
  | 'token'
  | 'passkey'
  | 'oauth-client'
  | 'saml-provider'
  | 'scim-token'
  | 'organization'
  | 'member'
  | 'invite'
  | 'invite-link'
  | 'team'
  | 'collection'
  | 'space'
  | 'change-request'
  | 'template'
  | 'openapi-spec'
  | 'translation'
  | 'site'
  | 'share-link'
