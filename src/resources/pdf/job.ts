import { z } from 'zod'
import { storeFiles } from '../../domain/files/store-file.ts'
import { findPdfFile, updatePdfFile } from '../../domain/pdf/pdf-store.ts'
import { type PdfServices, pdfJob, recordPdfEvent } from '../../domain/pdf/request-pdf.ts'
import { FetchError } from '../../fetch/errors.ts'
import type { Fetch } from '../../fetch/fetch.ts'
import { sniffContentType } from '../../files/sniff.ts'
import type { Highlighter } from '../../highlight/highlight.ts'
import { job } from '../../jobs/job.ts'
import { seconds } from '../../kernel/time.ts'
import { type PdfCode, type PdfImage, imageTypes } from '../../pdf/source.ts'
import { ThreadError } from '../../threads/pool.ts'
import { typeset } from '../../typesetting/typesetter.ts'
import type { CodeReply, ImageReply } from '../../typesetting/typst-worker.ts'

export interface PdfJobServices extends PdfServices {
  fetch: Fetch
  highlighter: Highlighter
}

/** Maximum size of an image in bytes. */
const maxImageSize = 16 * 1024 ** 2

/** Maximum number of images of other servers in one PDF, and the timeout for each of them and for all. */
const fetchLimits = { images: 60, timeout: seconds(5), totalTimeout: seconds(30) }

/** Progress before and after typesetting, in percent. */
const progressSteps = { started: 5, prepared: 60, stored: 95 }

/** Makes a requested PDF and stores it. */
export const typesetPdf = (services: PdfJobServices) =>
  job({
    ...pdfJob,
    attempts: 3,
    atOnce: 1,
    payload: z.object({ organizationId: z.string(), spaceId: z.string().optional(), key: z.string() }),
    async run({ db, transaction, now, log, signal }, { key, ...owner }) {
      const pdfKey = { organization_id: owner.organizationId, key }
      const update = (values: Parameters<typeof updatePdfFile>[2]) =>
        transaction(async (tx) => {
          await updatePdfFile(tx, pdfKey, { ...values, updated_at: now() })
          await recordPdfEvent({ db: tx, now }, owner, key)
        })
      const file = await findPdfFile(db, pdfKey)
      if (!file || file.state === 'done') return
      const source = await services.blobs.get(key)
      if (!source) return update({ state: 'failed', error: 'Its data is missing. Request it again' })
      await update({ state: 'running', progress: progressSteps.started })
      const images = new ImageReader(services)
      let lastProgress: number = progressSteps.started
      try {
        const { pdf, sheets } = await typeset(Buffer.from(source).toString('utf8'), async (question) => {
          const progress = Math.floor(
            progressSteps.started + question.progress * (progressSteps.prepared - progressSteps.started),
          )
          if (progress >= lastProgress + 10) await update({ progress: (lastProgress = progress) })
          return question.kind === 'image'
            ? images.read(question.image)
            : highlightCodes(services.highlighter, question.codes, signal)
        })
        await update({ progress: progressSteps.stored })
        const [stored] = await storeFiles(services, [{ bytes: pdf, name: file.name, declared: 'application/pdf' }])
        if (stored) await update({ state: 'done', progress: 100, blob: stored.blob, size: stored.size })
        log.debug('A PDF was made', { sheets, bytes: pdf.length })
      } catch (error) {
        const code = error instanceof ThreadError ? error.code : 'failed'
        if (signal.aborted || code === 'closed' || code === 'overloaded') throw error
        log.warn('A PDF could not be made', { error, key })
        await update({ state: 'failed', error: failureMessages[code] })
      }
    },
  })

const failureMessages = {
  timeout: 'Making the PDF took too long. Request a page and the pages below it instead',
  crashed: 'The PDF needs too much memory. Request a page and the pages below it instead',
  failed: 'The PDF could not be made. The server log contains details',
}

async function highlightCodes(
  highlighter: Highlighter,
  codes: readonly PdfCode[],
  signal: AbortSignal,
): Promise<CodeReply> {
  const blocks = codes.map(({ text, syntax }) => ({ code: text, syntax }))
  const stored = await highlighter.highlightAll(blocks, signal)
  const { highlighted } = await highlighter.highlight(blocks, 0, stored)
  return blocks.map(({ code, syntax }) => highlighted(code, syntax)?.map(({ text }) => text) ?? null)
}

/** Reads the images of one PDF. */
class ImageReader {
  readonly #services: PdfJobServices
  #remaining = fetchLimits.images
  #deadline: AbortSignal | undefined

  constructor(services: PdfJobServices) {
    this.#services = services
  }

  /** Returns the bytes of an image; null if it is missing or too large. */
  async read(image: PdfImage): Promise<ImageReply> {
    if ('url' in image) return this.#fetch(image.url)
    const bytes = await this.#services.blobs.get(image.blob)
    return bytes ? { bytes, contentType: image.contentType } : null
  }

  async #fetch(url: string): Promise<ImageReply> {
    if (this.#remaining-- <= 0) return null
    this.#deadline ??= AbortSignal.timeout(fetchLimits.totalTimeout)
    if (this.#deadline.aborted) return null
    try {
      const options = { maxBytes: maxImageSize, timeout: fetchLimits.timeout, signal: this.#deadline }
      const fetched = await this.#services.fetch.get(url, options)
      if (fetched.status !== 200) {
        fetched.discard()
        return null
      }
      const chunks: Uint8Array[] = []
      for await (const chunk of fetched.body) chunks.push(chunk)
      const bytes = Buffer.concat(chunks)
      const type = sniffContentType(bytes, new URL(url).pathname, fetched.contentType)
      return imageTypes.has(type) ? { bytes, contentType: type } : null
    } catch (error) {
      if (error instanceof FetchError) return null
      throw error
    }
  }
}
