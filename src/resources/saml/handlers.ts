import { deleteSessionsOfProvider } from '../../access/sessions.ts'
import { saml } from '../../contract/saml.ts'
import { hasExpired, reportCertificate } from '../../domain/saml/certificate-expiry.ts'
import { deleteIdentitiesOfProvider } from '../../domain/saml/identity-store.ts'
import {
  recordCertificateEvent,
  recordProviderChange,
  recordProviderDeletion,
} from '../../domain/saml/provider-events.ts'
import * as store from '../../domain/saml/provider-store.ts'
import { addTeamDetails } from '../../domain/teams/team-details.ts'
import { findTeam } from '../../domain/teams/team-store.ts'
import type { OrganizationContext } from '../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import { implement } from '../../kernel/implement.ts'
import type { Fetch } from '../../fetch/fetch.ts'
import { decodeCursor, toPage } from '../../kernel/pagination.ts'
import { SamlError } from '../../saml/error.ts'
import type { Row } from '../../schema/tables.ts'
import { fetchMetadata } from './fetch-metadata.ts'
import { readMetadataJob } from './read-metadata-job.ts'
import { presentLogin, presentProvider } from './present.ts'
import { readMetadata, toProviderColumns } from './settings.ts'

/** Maximum number of providers of an organization. */
const maxProviders = 20

/** Handlers for identity providers; `fetch` reads their metadata. */
export const samlRoutes = ({ fetch }: { fetch: Fetch }) =>
  implement(saml, {
    async listSamlProvidersInOrganizationById(context, { query }) {
      const { db, organization, urls } = context
      const after = decodeCursor(query.page, 1)
      const rows = await store.findProviders(db, organization.id, { after, limit: query.limit })
      const teams = new Map(
        await Promise.all(rows.map(async (row) => [row.id, await findDefaultTeam(context, row)] as const)),
      )
      return toPage(
        rows,
        query,
        await store.countProviders(db, organization.id),
        (row) => [row.id],
        (row) => presentProvider(row, teams.get(row.id), urls),
      )
    },

    async createOrganizationSamlProvider(context, { body }) {
      const { db, organization, newId, now } = context
      if ((await store.countProviders(db, organization.id)) >= maxProviders)
        throw conflict(`An organization can have at most ${maxProviders} SAML providers`)
      const at = now()
      const provider = await store.insertProvider(db, {
        organization_id: organization.id,
        id: newId(),
        sso_url: '',
        entity_id: '',
        certificate: '',
        certificate_expires_at: null,
        logout_url: null,
        default_team_id: null,
        default_role: organization.default_role,
        sign_requests: 0,
        allow_idp_initiated: 0,
        created_at: at,
        updated_at: at,
        metadata_url: null,
        metadata_checked_at: null,
        metadata_error: null,
        ...(await toProviderColumns(db, organization.id, body, at)),
        label: body.label,
      })
      await recordProviderChange(context, provider)
      await enqueueReading(context, provider, body)
      return presentChanged(context, provider)
    },

    async readSamlMetadata(_, { body: { url } }) {
      try {
        const metadata = await fetchMetadata(fetch, url)
        // Nothing else may be read through the server.
        readMetadata(metadata)
        return { metadata }
      } catch (error) {
        throw error instanceof SamlError ? invalid('body.url', error.message) : error
      }
    },

    async getOrganizationSamlProviderById(context, { params }) {
      const provider = await store.findProvider(context.db, context.organization.id, params.samlProviderId)
      if (!provider) throw notFound('SAML provider')
      return present(context, provider)
    },

    async updateOrganizationSamlProvider(context, { params, body }) {
      const { db, organization, now } = context
      const before = await store.findProvider(db, organization.id, params.samlProviderId)
      // The same URL is only read again; until then, the last result is shown.
      const metadataURL = body.metadataURL === before?.metadata_url ? undefined : body.metadataURL
      const columns = await toProviderColumns(db, organization.id, { ...body, metadataURL }, now())
      const provider = await store.updateProvider(db, organization.id, params.samlProviderId, {
        ...columns,
        updated_at: now(),
      })
      if (!provider || !before) throw notFound('SAML provider')
      await recordProviderChange(context, provider, before)
      await enqueueReading(context, provider, body)
      return presentChanged(context, provider)
    },

    async deleteOrganizationSamlProvider(context, { params }) {
      const { db, organization } = context
      const before = await store.findProvider(db, organization.id, params.samlProviderId)
      if (!before) return
      await store.deleteProvider(db, organization.id, before.id)
      await recordProviderDeletion(context, before)
      await deleteIdentitiesOfProvider(db, params.samlProviderId)
      await deleteSessionsOfProvider(db, params.samlProviderId)
    },

    async listSsoProviderLoginsInOrganization({ db, urls }, { params }) {
      const providers = await store.findActiveProviders(db, params.organizationId)
      return { items: providers.map((provider) => presentLogin(provider, urls)) }
    },
  })

/** Lets the metadata be read in the background if a request has a URL only. */
async function enqueueReading(
  { db, enqueue }: OrganizationContext,
  { organization_id: organizationId, id: providerId }: Row<'saml_providers'>,
  body: { metadataURL?: string | null | undefined; metadata?: string | undefined },
): Promise<void> {
  if (typeof body.metadataURL === 'string' && body.metadata === undefined)
    await enqueue(db, readMetadataJob, { organizationId, providerId })
}

/** Presents a provider that was created or changed, and reports at once if its certificate has expired. */
async function presentChanged(context: OrganizationContext, provider: Row<'saml_providers'>) {
  if (hasExpired(provider, context.now())) {
    reportCertificate(context.log, provider, context.now())
    await recordCertificateEvent(context, provider, true)
  }
  return present(context, provider)
}

async function present(context: OrganizationContext, provider: Row<'saml_providers'>) {
  return presentProvider(provider, await findDefaultTeam(context, provider), context.urls)
}

/** Returns the default team of a provider; undefined if there is none or if it was deleted. */
async function findDefaultTeam({ db, viewer }: OrganizationContext, provider: Row<'saml_providers'>) {
  const { organization_id: organizationId, default_team_id: teamId } = provider
  const team = teamId === null ? undefined : await findTeam(db, organizationId, teamId)
  return team && (await addTeamDetails(db, viewer, [team]))[0]
}
