import { fromStoredRole } from '../../access/content-roles.ts'
import type { SamlProvider } from '../../contract/saml.ts'
import { isActive } from '../../domain/saml/provider-store.ts'
import { type TeamRow, presentTeam } from '../../domain/teams/present-team.ts'
import type { Urls } from '../../kernel/context.ts'
import { serviceUrls } from '../../saml/service.ts'
import type { Row } from '../../schema/tables.ts'

export function presentProvider(row: Row<'saml_providers'>, team: TeamRow | undefined, urls: Urls): SamlProvider {
  const { acsURL, startURL, entityID } = serviceUrls((path) => urls.plain(path), row.id)
  return {
    object: 'saml-provider',
    id: row.id,
    label: row.label,
    ssoURL: row.sso_url,
    entityID: row.entity_id,
    certificate: row.certificate,
    ...(team && { defaultTeam: presentTeam(team) }),
    defaultRole: fromStoredRole(row.default_role),
    createdAt: row.created_at,
    status: isActive(row) ? 'active' : 'pending',
    service: { acsURL, startURL, entityID },
    ...(row.certificate_expires_at !== null && { certificateExpiresAt: row.certificate_expires_at }),
    signRequests: row.sign_requests === 1,
    allowIdpInitiated: row.allow_idp_initiated === 1,
    ...(row.logout_url !== null && { logoutURL: row.logout_url }),
    ...(row.metadata_url !== null && { metadataURL: row.metadata_url }),
    ...(row.metadata_checked_at !== null && { metadataCheckedAt: row.metadata_checked_at }),
    ...(row.metadata_error !== null && { metadataError: row.metadata_error }),
    urls: { location: urls.api(`/orgs/${row.organization_id}/saml/${row.id}`) },
  }
}

/** Presents a provider as a way to sign in, for people who have not signed in yet. */
export function presentLogin({ id, label }: Row<'saml_providers'>, urls: Urls) {
  return { id, label, startURL: serviceUrls((path) => urls.plain(path), id).startURL }
}
