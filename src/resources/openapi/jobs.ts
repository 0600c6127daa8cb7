import { z } from 'zod'
import { type OpenAPIErrorCode, maxSpecSize } from '../../contract/openapi-spec.ts'
import { type FileServices, storeFiles, withChargedQuota } from '../../domain/files/store-file.ts'
import { recomputeSpaceJob } from '../../domain/computed/jobs.ts'
import * as store from '../../domain/openapi/openapi-store.ts'
import { FetchError } from '../../fetch/errors.ts'
import type { Fetch } from '../../fetch/fetch.ts'
import { job } from '../../jobs/job.ts'
import type { JobContext, JobDescriptor } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { hours, seconds, timestamp } from '../../kernel/time.ts'
import type { LoadedFile } from '../../openapi/bundle.ts'
import { processOpenApi } from '../../parsing/process-openapi.ts'
import { type Blobs, hashBytes } from '../../storage/blobs.ts'
import { ThreadError } from '../../threads/pool.ts'
import { enqueueDependents, recomputeChangeRequests, recomputeDependents, recomputeHead } from './recompute.ts'

/** Time after which the source of a specification is fetched again. */
export const refreshInterval = hours(6)

/** Timeout for fetching one file of a specification, and for all files together. */
const fetchTimeout = seconds(20)
const totalFetchTimeout = seconds(90)

/** Maximum number of files that are fetched at a time. */
const maxParallelFetches = 6

/** Maximum number of specifications that one run of the refresh enqueues; the next run continues. */
const maxRefreshed = 500

/** Maximum length of a stored message about a problem. */
const maxMessageLength = 1000

interface SpecJobPayload {
  organizationId: string
  specId: string
}

/** Job that processes the source of a specification. */
export const processSpecJob: JobDescriptor<SpecJobPayload> = {
  name: 'openapi.process',
  key: ({ organizationId, specId }) => `${organizationId} ${specId}`,
}

/** Result of processing a source: the values of a version, or why there is none. */
type Outcome =
  | { version: Omit<store.SpecVersionRow, 'id' | 'created_at'>; outline: string; problems: string[] }
  | { errorCode: OpenAPIErrorCode; problems: string[] }

/** Reads the source of a specification, processes it, and stores the result as a version if it differs from the latest one. */
export const processOpenApiSpec = (services: FileServices) =>
  job({
    ...processSpecJob,
    attempts: 3,
    atOnce: 2,
    payload: z.object({ organizationId: z.string(), specId: z.string() }),
    async run(context, { organizationId, specId }) {
      const { db, transaction, log, now, signal } = context
      const spec = await store.findSpecById(db, { organization_id: organizationId, id: specId })
      if (!spec) return
      const updateState = (values: Parameters<typeof store.updateSpecOfSource>[2]) =>
        transaction(async (tx) => {
          if (await store.updateSpecOfSource(tx, spec, values)) await store.recordSpecChange({ db: tx, now }, spec)
        })
      await updateState({ state: 'progress' })
      let outcome: Outcome
      try {
        outcome = await withFetchTimeout(signal, (limited) => readAndProcess(services, spec, now(), limited))
        signal.throwIfAborted()
      } catch (error) {
        if (signal.aborted || isTemporary(error)) throw error
        log.warn('An OpenAPI specification could not be processed', { error, spec: specId })
        const message = 'The specification could not be processed. The server log contains details'
        outcome = { errorCode: 'PARSE_ERROR', problems: [message] }
      }
      const result = toSpecValues(spec, outcome, now())
      if ('version' in outcome) {
        const { version, outline } = outcome
        const isNew = await transaction((tx) =>
          storeVersion({ ...context, db: tx }, spec, version, { outline, result }),
        )
        // Readers of the state expect that the generated pages are up to date as well.
        if (isNew) await recomputeDependents(context, spec)
      }
      await updateState({ ...result, state: 'complete' })
    },
  })

/** Whether the job should be repeated because the server cannot process anything now. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof AppError
    ? error.code === 'unavailable' || error.code === 'insufficientStorage'
    : error instanceof ThreadError && (error.code === 'closed' || error.code === 'overloaded')

/** Runs work with a signal that is aborted when fetching all files of a specification takes too long. */
export async function withFetchTimeout<T>(signal: AbortSignal, work: (limited: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = new AbortController()
  // Node.js 20 may collect an `AbortSignal.timeout` that only a composite signal refers to, and it never aborts then.
  const timer = setTimeout(() => deadline.abort(), totalFetchTimeout)
  try {
    return await work(AbortSignal.any([signal, deadline.signal]))
  } finally {
    clearTimeout(timer)
  }
}

async function readAndProcess(
  services: FileServices,
  spec: store.SpecRow,
  now: string,
  signal: AbortSignal,
): Promise<Outcome> {
  const source =
    spec.source_url === null
      ? await readStoredSource(services.blobs, spec.source_blob)
      : await fetchFile(services.fetch, spec.source_url, signal)
  if ('failure' in source) return { errorCode: toErrorCode(source.failure), problems: [source.message] }
  const result = await processOpenApi(
    {
      text: source.text,
      url: spec.source_url === null ? undefined : source.url,
      now,
      previousOutline: await store.readOutline(services.database.reader, spec),
    },
    (urls) => fetchFiles(services.fetch, urls, signal),
  )
  if (result.kind === 'failed') return { errorCode: toErrorCode(result.cause), problems: result.problems }
  const { document, outline, format, problems } = result
  try {
    const stored = await storeTexts(services, spec, source.text, document)
    const { organization_id, id, source_url } = spec
    return { version: { organization_id, spec_id: id, source_url, format, ...stored }, outline, problems }
  } catch (error) {
    // The quota of the organization is exceeded.
    if (error instanceof AppError && error.code === 'tooLarge')
      return { errorCode: 'PARSE_ERROR', problems: [error.message] }
    throw error
  }
}

const toErrorCode = (cause: 'text' | 'timeout' | 'error'): OpenAPIErrorCode =>
  cause === 'text' ? 'PARSE_ERROR' : cause === 'timeout' ? 'FETCH_TIMEOUT' : 'FETCH_ERROR'

/** Stores the source and the document of a version, unless they are stored already. */
async function storeTexts(services: FileServices, spec: store.SpecRow, source: string, document: string) {
  const bytes = { source: Buffer.from(source), document: Buffer.from(document) }
  const documentHash = hashBytes(bytes.document)
  const hashes = {
    source_blob: spec.source_blob ?? hashBytes(bytes.source),
    document_blob: documentHash,
    document_size: bytes.document.length,
  }
  const latest =
    spec.version_id === null ? undefined : await store.findVersion(services.database.reader, spec, spec.version_id)
  if (latest && isSameVersion(latest, hashes)) return hashes
  await storeFiles(withChargedQuota(services, spec.organization_id), [
    { bytes: bytes.source, name: 'openapi', declared: 'text/plain' },
    { bytes: bytes.document, name: 'openapi.json', declared: 'application/json' },
  ])
  return hashes
}

const isSameVersion = (
  version: store.SpecVersionRow,
  other: Pick<store.SpecVersionRow, 'source_blob' | 'document_blob'>,
): boolean => version.source_blob === other.source_blob && version.document_blob === other.document_blob

/** Returns the values of a specification after its source was processed. */
function toSpecValues(spec: store.SpecRow, outcome: Outcome, at: string) {
  const { problems } = outcome
  return {
    error_code: 'errorCode' in outcome ? outcome.errorCode : null,
    errors: JSON.stringify(problems.slice(0, 100).map((problem) => problem.slice(0, maxMessageLength))),
    error_count: problems.length,
    processed_at: at,
    ...(spec.source_url !== null && { refresh_at: timestamp(Date.parse(at) + refreshInterval) }),
  }
}

/**
 * Makes a version the latest one, unless it is the same, or the source was replaced in the meantime; then another job processes
 * the new one. Returns whether the version is new.
 */
async function storeVersion(
  { db, newId, now, enqueue }: Pick<JobContext, 'db' | 'now' | 'newId' | 'enqueue'>,
  spec: store.SpecRow,
  values: Omit<store.SpecVersionRow, 'id' | 'created_at'>,
  { outline, result }: { outline: string; result: ReturnType<typeof toSpecValues> },
): Promise<boolean> {
  const latest = spec.version_id === null ? undefined : await store.findVersion(db, spec, spec.version_id)
  if (latest && isSameVersion(latest, values)) return false
  const version = { ...values, id: newId(), created_at: now() }
  const changes = { ...result, version_id: version.id, updated_at: version.created_at }
  if (!(await store.updateSpecOfSource(db, spec, changes))) return false
  await store.insertVersion(db, version, outline)
  await enqueueDependents({ db, enqueue }, spec)
  return true
}

export async function readStoredSource(blobs: Blobs, hash: string | null): Promise<LoadedFile> {
  const bytes = hash === null ? undefined : await blobs.get(hash)
  if (!bytes) return { failure: 'error', message: 'The text of the specification is missing. Send it again' }
  return { url: '', text: decodeText(bytes) }
}

const decodeText = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')

export async function fetchFiles(fetch: Fetch, urls: readonly string[], signal: AbortSignal): Promise<LoadedFile[]> {
  const files: LoadedFile[] = []
  for (let start = 0; start < urls.length; start += maxParallelFetches) {
    const batch = urls.slice(start, start + maxParallelFetches)
    files.push(...(await Promise.all(batch.map((url) => fetchFile(fetch, url, signal)))))
  }
  return files
}

export async function fetchFile(fetch: Fetch, url: string, signal: AbortSignal): Promise<LoadedFile> {
  try {
    const fetched = await fetch.get(url, { maxBytes: maxSpecSize, timeout: fetchTimeout, signal })
    if (fetched.status !== 200) {
      fetched.discard()
      return { failure: 'error', message: `The URL returned the status ${fetched.status}` }
    }
    const chunks: Uint8Array[] = []
    for await (const chunk of fetched.body) chunks.push(chunk)
    return { url: fetched.url, text: decodeText(Buffer.concat(chunks)) }
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    switch (error.failure) {
      case 'timeout':
        return { failure: 'timeout', message: error.message }
      case 'aborted':
        return {
          failure: 'timeout',
          message: `Fetching all files took longer than ${totalFetchTimeout / 1000} seconds`,
        }
      case 'tooLarge':
        return { failure: 'error', message: `The file is larger than ${maxSpecSize / 1024 ** 2} MB` }
      default:
        return { failure: 'error', message: error.message }
    }
  }
}

/** Generates the pages of a space again that depend on specifications. */
export const recomputeSpace = job({
  ...recomputeSpaceJob,
  attempts: 5,
  payload: z.object({ organizationId: z.string(), spaceId: z.string() }),
  async run(context, { organizationId, spaceId }) {
    const { transaction } = context
    await transaction((db) => recomputeHead({ ...context, db }, organizationId, spaceId))
    await recomputeChangeRequests(context, transaction, organizationId, spaceId)
  },
})

/** Enqueues the specifications whose source should be fetched again, and ends the processing of those whose job was given up. */
export const refreshOpenApiSpecs = job({
  name: 'openapi.refresh',
  attempts: 3,
  key: () => '',
  payload: z.object({}).strict(),
  async run({ transaction, enqueue, now }) {
    await transaction(async (db) => {
      const failed = await store.updateSpecsWithoutJob(db, processSpecJob.name, {
        state: 'complete',
        error_code: 'PARSE_ERROR',
        errors: JSON.stringify(['The processing was interrupted too many times. Send the specification again']),
        error_count: 1,
        processed_at: now(),
      })
      for (const spec of failed) await store.recordSpecChange({ db, now }, spec)
    })
    await transaction(async (db) => {
      for (const spec of await store.findSpecsToRefresh(db, now(), maxRefreshed)) {
        await store.updateSpec(db, spec, { refresh_at: timestamp(Date.parse(now()) + refreshInterval) })
        await enqueue(db, processSpecJob, { organizationId: spec.organization_id, specId: spec.id })
      }
    })
  },
})
