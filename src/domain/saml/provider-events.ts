import { fromStoredRole } from '../../access/content-roles.ts'
import type { AuditAction } from '../../contract/audit-actions.ts'
import type { Row } from '../../schema/tables.ts'
import { toAuditedUrl } from '../audit/audited-url.ts'
import { recordEventAbout } from '../audit/record-event-about.ts'
import type { AuditContext, AuditEventInput } from '../audit/record-event.ts'

type Provider = Row<'saml_providers'>

/** Returns the settings of a provider for the audit log. */
const toAuditValues = (provider: Provider) => ({
  label: provider.label,
  ssoURL: toAuditedUrl(provider.sso_url),
  entityID: provider.entity_id,
  certificate: provider.certificate,
  certificateExpiresAt: provider.certificate_expires_at,
  logoutURL: provider.logout_url === null ? null : toAuditedUrl(provider.logout_url),
  metadataURL: provider.metadata_url === null ? null : toAuditedUrl(provider.metadata_url),
  defaultTeam: provider.default_team_id,
  defaultRole: fromStoredRole(provider.default_role),
  signRequests: provider.sign_requests === 1,
  allowIdpInitiated: provider.allow_idp_initiated === 1,
})

/** Records that a provider was created; with its earlier row, that it was changed. */
export function recordProviderChange(context: AuditContext, after: Provider, before?: Provider): Promise<void> {
  const values = { before: before && toAuditValues(before), after: toAuditValues(after) }
  return recordProviderEvent(context, after, before ? 'saml.update' : 'saml.create', values)
}

/** Records that a provider was deleted. */
export function recordProviderDeletion(context: AuditContext, provider: Provider): Promise<void> {
  return recordProviderEvent(context, provider, 'saml.delete', { before: toAuditValues(provider) })
}

/** Records that the certificate of a provider has expired or expires soon. */
export function recordCertificateEvent(context: AuditContext, provider: Provider, isExpired: boolean): Promise<void> {
  const after = { certificateExpiresAt: provider.certificate_expires_at }
  return recordProviderEvent(context, provider, isExpired ? 'certificate.expired' : 'certificate.expiring', { after })
}

function recordProviderEvent(
  context: AuditContext,
  { organization_id, id, label }: Provider,
  action: AuditAction,
  values: Pick<AuditEventInput, 'before' | 'after'>,
): Promise<void> {
  return recordEventAbout(context, 'saml-provider', { organization_id, id, title: label }, action, values)
}
