import type { Updateable } from 'kysely'
import { toStoredRole } from '../../access/content-roles.ts'
import { ProviderUrl, type saml } from '../../contract/saml.ts'
import type { BodyOf } from '../../contract/operation.ts'
import { findTeam } from '../../domain/teams/team-store.ts'
import { invalid, unknownReference } from '../../kernel/errors.ts'
import { parseCertificates } from '../../saml/certificates.ts'
import { SamlError } from '../../saml/error.ts'
import { type IdentityProviderMetadata, parseMetadata } from '../../saml/metadata.ts'
import type { Db, Tables } from '../../schema/tables.ts'
import { toFlag } from '../../schema/values.ts'

type Body = BodyOf<(typeof saml)['updateOrganizationSamlProvider']>

/** Returns the columns that a request sets; fields of the body take precedence over those of its metadata. */
export async function toProviderColumns(
  db: Db,
  organizationId: string,
  body: Body,
  now: string,
): Promise<Updateable<Tables['saml_providers']>> {
  const { defaultTeam, defaultRole, label } = body
  if (defaultTeam !== undefined && defaultTeam !== null && !(await findTeam(db, organizationId, defaultTeam)))
    throw unknownReference('body.defaultTeam', 'team')
  const { metadata: xml } = body
  const metadata: Partial<IdentityProviderMetadata> =
    xml === undefined ? {} : explain('body.metadata', () => readMetadata(xml))
  const { entityID, ssoURL, certificate, logoutURL } = { ...metadata, ...withoutUndefined(body) }
  return {
    ...(label !== undefined && { label }),
    ...(entityID !== undefined && { entity_id: entityID }),
    ...(ssoURL !== undefined && { sso_url: ssoURL }),
    ...(certificate !== undefined && toCertificateColumns(certificate)),
    ...(logoutURL !== undefined && { logout_url: logoutURL }),
    ...(body.metadataURL !== undefined && toMetadataUrlColumns(body.metadataURL, now)),
    ...(defaultTeam !== undefined && { default_team_id: defaultTeam }),
    ...(defaultRole !== undefined && { default_role: toStoredRole(defaultRole) }),
    ...(body.signRequests !== undefined && { sign_requests: toFlag(body.signRequests) }),
    ...(body.allowIdpInitiated !== undefined && { allow_idp_initiated: toFlag(body.allowIdpInitiated) }),
  }
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T
}

/**
 * Returns the settings in the metadata of an identity provider. Throws a `SamlError` that describes what is missing in the
 * metadata.
 */
export function readMetadata(xml: string): IdentityProviderMetadata {
  const metadata = parseMetadata(xml)
  for (const url of [metadata.ssoURL, metadata.logoutURL]) {
    const problem = url === undefined ? undefined : ProviderUrl.safeParse(url).error?.issues[0]?.message
    if (problem !== undefined) throw new SamlError(`contains a URL that ${problem}`)
  }
  return metadata
}

/** The time is set so that the metadata is read again after a day. */
const toMetadataUrlColumns = (url: string | null, now: string) => ({
  metadata_url: url,
  metadata_checked_at: url === null ? null : now,
  metadata_error: null,
})

export function toCertificateColumns(text: string) {
  if (text.trim() === '') return { certificate: '', certificate_expires_at: null }
  const { pems, expiresAt } = explain('body.certificate', () => parseCertificates(text))
  return { certificate: pems.join(''), certificate_expires_at: expiresAt }
}

/** Runs a parser and turns its errors into an error about a field of the request. */
export function explain<T>(path: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw error instanceof SamlError ? invalid(path, error.message) : error
  }
}
