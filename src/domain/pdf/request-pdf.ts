import type { PdfSource } from '../../pdf/source.ts'
import type { Enqueue, JobDescriptor, Urls } from '../../kernel/context.ts'
import { AppError, BusyError } from '../../kernel/errors.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import type { Signer } from '../../kernel/signer.ts'
import { type Clock, hours, minutes, timestamp } from '../../kernel/time.ts'
import type { Blobs } from '../../storage/blobs.ts'
import { hashBytes } from '../../storage/blobs.ts'
import type { Database } from '../../storage/database.ts'
import { isTypesetterInstalled } from '../../typesetting/typesetter.ts'
import { storeFiles } from '../files/store-file.ts'
import { type LiveEventContext, recordJobEvent } from '../live/record-event.ts'
import { countUnfinishedPdfFiles, findPdfFile, queuePdfFile, updatePdfFile } from './pdf-store.ts'

export interface PdfServices {
  blobs: Blobs
  database: Database
  clock: Clock
}

/** Content of which a PDF is made. The space is absent if a visitor of a site requests the PDF. */
interface PdfOwner {
  organizationId: string
  spaceId?: string | undefined
}

/** Job that makes a PDF. */
export const pdfJob: JobDescriptor<PdfOwner & { key: string }> = {
  name: 'pdf.typeset',
  key: ({ organizationId, key }) => `${organizationId} ${key}`,
}

/** Validity of the URL of a PDF. */
const urlLifetime = hours(1)

/** Time after which a PDF that failed is tried again. */
const retryDelay = minutes(10)

/** Time after which the time of the last request is stored again. */
const touchInterval = minutes(10)

/** Maximum size of the data of a PDF in characters; more takes too long to typeset. */
const maxSourceSize = 24 * 1024 ** 2

/** Maximum number of unfinished PDFs of an organization, and the seconds after which more may be requested. */
const maxUnfinished = 50
const retryAfter = 30

interface PdfRequestContext {
  enqueue: Enqueue
  signer: Signer
  urls: Urls
}

/** Throws if PDFs cannot be made on this platform. */
export function assertPdfAvailable(): void {
  if (!isTypesetterInstalled())
    throw new AppError(
      'unprocessable',
      `PDFs are not available: the compiler has no build for ${process.platform}-${process.arch}`,
    )
}

/** Queues a PDF unless it is already made, and returns its signed URL. */
export async function requestPdf(
  { blobs, database, clock }: PdfServices,
  { enqueue, signer, urls }: PdfRequestContext,
  owner: PdfOwner,
  source: PdfSource,
): Promise<string> {
  const { organizationId } = owner
  const bytes = await serializeSource(source)
  const key = hashBytes(bytes)
  const pdfKey = { organization_id: organizationId, key }
  const now = clock()
  const found = await findPdfFile(database.reader, pdfKey)
  const isRetried = found?.state === 'failed' && Date.parse(found.updated_at) < now - retryDelay
  if (!found || isRetried) {
    if ((await countUnfinishedPdfFiles(database.reader, organizationId, maxUnfinished)) === maxUnfinished)
      throw new BusyError('rateLimited', 'Too many PDFs are waiting to be created. Try again later', retryAfter)
    await storeFiles({ blobs, database, clock }, [{ bytes, name: 'pdf.json', declared: 'application/json' }])
    await database.transaction(async (db) => {
      await queuePdfFile(db, pdfKey, toFileName(source.title), timestamp(now))
      await enqueue(db, pdfJob, { ...owner, key })
      await recordPdfEvent({ db, now: () => timestamp(now) }, owner, key)
    })
  } else if (Date.parse(found.requested_at) < now - touchInterval) {
    await database.transaction((db) => updatePdfFile(db, pdfKey, { requested_at: timestamp(now) }))
  }
  const expires = now + urlLifetime
  const signature = signer.sign(toSignatureInput(organizationId, key, expires))
  return urls.plain(
    `/pdf/${organizationId}/${key}/${encodeURIComponent(toFileName(source.title))}?expires=${expires}&signature=${signature}`,
  )
}

/** Records a new state or new progress of a PDF that a member has requested. */
export async function recordPdfEvent(context: LiveEventContext, owner: PdfOwner, key: string): Promise<void> {
  if (owner.spaceId !== undefined) await recordJobEvent(context, owner, { type: 'pdf', id: key })
}

/** Returns the data of a PDF as JSON, page by page, because all pages at once would block the event loop. */
async function serializeSource({ pages, ...rest }: PdfSource): Promise<Buffer> {
  const yieldIfDue = createYielder()
  const parts = [`${JSON.stringify(rest).slice(0, -1)},"pages":[`]
  let size = parts[0]?.length ?? 0
  for (const [index, page] of pages.entries()) {
    const part = `${index === 0 ? '' : ','}${JSON.stringify(page)}`
    size += part.length
    if (size > maxSourceSize) throw createTooLargeError()
    parts.push(part)
    await yieldIfDue()
  }
  return Buffer.from(`${parts.join('')}]}`)
}

/** Returns the error for content that is too large for one PDF. */
export const createTooLargeError = (): AppError =>
  new AppError('tooLarge', 'The content is too large for one PDF. Request a page and the pages below it instead')

/** Whether the signature of the URL of a PDF is valid and has not expired. */
export function isValidPdfUrl(
  { signer, clock }: { signer: Signer; clock: Clock },
  { organizationId, key, expires, signature }: Record<'organizationId' | 'key' | 'expires' | 'signature', string>,
): boolean {
  return Number(expires) > clock() && signer.verify(toSignatureInput(organizationId, key, expires), signature)
}

const toSignatureInput = (organizationId: string, key: string, expires: number | string): string =>
  `pdf ${organizationId} ${key} ${expires}`

/** Returns a title as a file name. */
const toFileName = (title: string): string =>
  `${
    title
      .replace(/[/\\\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, 80) || 'document'
  }.pdf`
