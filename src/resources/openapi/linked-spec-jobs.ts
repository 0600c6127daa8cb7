import { z } from 'zod'
import { specIndexJob } from '../../derived/jobs.ts'
import { type FileServices, storeFiles, withChargedQuota } from '../../domain/files/store-file.ts'
import { linkedSpecInterval, linkedSpecJob } from '../../domain/openapi/linked-specs.ts'
import {
  type LinkedSpecRow,
  deleteLinkedSpecsBefore,
  findLinkedSpec,
  updateLinkedSpec,
} from '../../domain/openapi/linked-spec-store.ts'
import { job } from '../../jobs/job.ts'
import { AppError } from '../../kernel/errors.ts'
import { days, timestamp } from '../../kernel/time.ts'
import { processOpenApi } from '../../parsing/process-openapi.ts'
import { recordUnusedBlobs } from '../../storage/unused-blobs.ts'
import { fetchFile, fetchFiles, isTemporary, readStoredSource, withFetchTimeout } from './jobs.ts'

/** Time after which a linked specification that no page shows is deleted. */
const unusedLifetime = days(30)

type Outcome = { document: string } | { error: string }

/** Reads and processes an OpenAPI file or URL that blocks of pages name. If that fails, the previous document remains. */
export const processLinkedSpec = (services: FileServices) =>
  job({
    ...linkedSpecJob,
    attempts: 3,
    atOnce: 1,
    payload: z.object({ organizationId: z.string(), key: z.string() }),
    async run({ db, transaction, enqueue, now, log, signal }, { organizationId, key }) {
      const spec = await findLinkedSpec(db, { organization_id: organizationId, key })
      if (spec?.state !== 'queued') return
      const outcome = await readAndStore(services, spec, now(), signal).catch((error: unknown): { error: string } => {
        if (signal.aborted || isTemporary(error)) throw error
        log.warn('A linked OpenAPI specification could not be processed', { error, key })
        return { error: 'The specification could not be processed' }
      })
      await transaction(async (tx) => {
        const at = now()
        if ('error' in outcome) {
          const refresh_at = timestamp(Date.parse(at) + linkedSpecInterval)
          const error = outcome.error.slice(0, 1000)
          await updateLinkedSpec(tx, spec, { state: 'failed', error, refresh_at, updated_at: at })
          return
        }
        const previous = await findLinkedSpec(tx, spec)
        const values = { state: 'ready', document_blob: outcome.hash, error: null, updated_at: at } as const
        await updateLinkedSpec(tx, spec, values)
        const replaced = previous?.document_blob ?? outcome.hash
        if (replaced !== outcome.hash) await recordUnusedBlobs(tx, [replaced], at)
        if (previous?.document_blob !== outcome.hash)
          await enqueue(tx, specIndexJob, { organizationId, specs: [`linked ${key}`] })
      })
    },
  })

/** Returns the hash of the stored document, or why there is none. */
async function readAndStore(
  services: FileServices,
  spec: LinkedSpecRow,
  now: string,
  signal: AbortSignal,
): Promise<{ hash: string } | { error: string }> {
  const outcome = await withFetchTimeout(signal, (limited) => processSource(services, spec, now, limited))
  if ('error' in outcome) return outcome
  signal.throwIfAborted()
  try {
    const [stored] = await storeFiles(withChargedQuota(services, spec.organization_id), [
      { bytes: Buffer.from(outcome.document), name: 'openapi.json', declared: 'application/json' },
    ])
    return stored ? { hash: stored.blob } : { error: 'The document could not be stored' }
  } catch (error) {
    // The quota of the organization is exceeded.
    if (error instanceof AppError && error.code === 'tooLarge') return { error: error.message }
    throw error
  }
}

async function processSource(
  services: FileServices,
  spec: LinkedSpecRow,
  now: string,
  signal: AbortSignal,
): Promise<Outcome> {
  const source =
    spec.source_url === null
      ? await readStoredSource(services.blobs, spec.source_blob)
      : await fetchFile(services.fetch, spec.source_url, signal)
  if ('failure' in source) return { error: source.message }
  const result = await processOpenApi(
    { text: source.text, url: spec.source_url === null ? undefined : source.url, now },
    (urls) => fetchFiles(services.fetch, urls, signal),
  )
  return result.kind === 'failed' ? { error: result.problems[0] ?? '' } : { document: result.document }
}

/** Deletes linked specifications that no page has shown for some time. */
export const sweepLinkedSpecs = job({
  name: 'openapi.sweep-linked',
  attempts: 3,
  key: () => '',
  payload: z.object({}).strict(),
  async run({ transaction, now }) {
    await transaction((db) => deleteLinkedSpecsBefore(db, timestamp(Date.parse(now()) - unusedLifetime), now()))
  },
})
