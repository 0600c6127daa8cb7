import { z } from 'zod'
import { recordProviderChange } from '../../domain/saml/provider-events.ts'
import * as store from '../../domain/saml/provider-store.ts'
import type { Fetch } from '../../fetch/fetch.ts'
import { job } from '../../jobs/job.ts'
import type { JobContext, JobDescriptor } from '../../kernel/context.ts'
import { days, timestamp } from '../../kernel/time.ts'
import { SamlError } from '../../saml/error.ts'
import type { Row } from '../../schema/tables.ts'
import { fetchMetadata } from './fetch-metadata.ts'
import { readMetadata, toCertificateColumns } from './settings.ts'

type Provider = Row<'saml_providers'>

/** Time after which the metadata of a provider is read again. */
const interval = days(1)

/** Maximum number of providers that one run enqueues; the next run continues. */
const maxEnqueued = 100

interface ProviderPayload {
  organizationId: string
  providerId: string
}

/** Job that reads the metadata of a provider. */
export const readMetadataJob: JobDescriptor<ProviderPayload> = {
  name: 'saml.metadata',
  key: ({ organizationId, providerId }) => `${organizationId} ${providerId}`,
}

/** Enqueues the providers whose metadata is to be read again. */
export const refreshMetadata = job({
  name: 'saml.refresh',
  attempts: 3,
  key: () => '',
  payload: z.object({}).strict(),
  async run({ transaction, enqueue, now }) {
    await transaction(async (db) => {
      const before = timestamp(Date.parse(now()) - interval)
      for (const { organization_id: organizationId, id } of await store.findProvidersToCheck(db, before, maxEnqueued)) {
        await store.updateProvider(db, organizationId, id, { metadata_checked_at: now() })
        await enqueue(db, readMetadataJob, { organizationId, providerId: id })
      }
    })
  },
})

/** Reads the metadata of a provider and stores its changes. If the metadata cannot be used, only the error is stored. */
export const readProviderMetadata = ({ fetch }: { fetch: Fetch }) =>
  job({
    ...readMetadataJob,
    attempts: 3,
    atOnce: 2,
    payload: z.object({ organizationId: z.string(), providerId: z.string() }),
    async run(context, { organizationId, providerId }) {
      const { db, transaction, now, signal } = context
      const read = await store.findProvider(db, organizationId, providerId)
      if (!read || read.metadata_url === null) return
      const outcome = await readSettings(fetch, read, read.metadata_url, now(), signal)
      await transaction(async (tx) => {
        const current = await store.findProvider(tx, organizationId, providerId)
        // If an administrator changed the provider in the meantime, that change has precedence.
        if (!current || current.updated_at !== read.updated_at) return
        await storeOutcome({ ...context, db: tx }, current, outcome)
      })
    },
  })

type Outcome =
  | { error: string }
  | { settings: Pick<Provider, 'entity_id' | 'sso_url' | 'certificate' | 'certificate_expires_at' | 'logout_url'> }

async function storeOutcome(
  context: Omit<JobContext, 'transaction'>,
  current: Provider,
  outcome: Outcome,
): Promise<void> {
  const { db, now } = context
  const at = now()
  const checked = { metadata_checked_at: at, metadata_error: 'error' in outcome ? outcome.error : null }
  const settings = 'settings' in outcome ? outcome.settings : {}
  const isChanged = Object.entries(settings).some(([name, value]) => current[name as keyof Provider] !== value)
  const changed = isChanged ? { ...settings, updated_at: at } : {}
  const stored = await store.updateProvider(db, current.organization_id, current.id, { ...checked, ...changed })
  if (stored && isChanged) await recordProviderChange(context, stored, current)
}

/** Reads the settings of a provider from its metadata, or why they cannot replace those that it has. */
async function readSettings(
  fetch: Fetch,
  provider: Provider,
  url: string,
  now: string,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const metadata = readMetadata(await fetchMetadata(fetch, url, signal))
    const certificates = toCertificateColumns(metadata.certificate)
    if (provider.entity_id !== '' && metadata.entityID !== provider.entity_id)
      throw new SamlError(`describes another identity provider: ${metadata.entityID}`)
    if ((certificates.certificate_expires_at ?? now) <= now)
      throw new SamlError('has only certificates that have expired')
    return {
      settings: {
        entity_id: metadata.entityID,
        sso_url: metadata.ssoURL,
        logout_url: metadata.logoutURL ?? null,
        ...certificates,
      },
    }
  } catch (error) {
    if (error instanceof SamlError) return { error: `The metadata ${error.message}`.slice(0, maxError) }
    throw error
  }
}

/** Maximum length of a stored error. */
const maxError = 500
