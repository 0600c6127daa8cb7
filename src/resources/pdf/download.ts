import { setTimeout as wait } from 'node:timers/promises'
import { findPdfFile } from '../../domain/pdf/pdf-store.ts'
import { isValidPdfUrl } from '../../domain/pdf/request-pdf.ts'
import type { PdfDownloadRequest } from '../../files/requests.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { seconds } from '../../kernel/time.ts'
import type { Row } from '../../schema/tables.ts'
import { type DownloadServices, respondWithFile } from '../files/download.ts'

/** Time for which a download waits for its PDF; shorter than the timeout of many proxies. */
const maxWait = seconds(25)

/** Time between two checks whether a PDF is finished. */
const pollInterval = 200

/** Seconds after which a client should request an unfinished PDF again. */
const retryAfter = 2

/** Responds with a PDF, or with its progress if it is not finished in time. */
export async function downloadPdf(
  services: DownloadServices,
  request: PdfDownloadRequest,
  stopping: AbortSignal,
): Promise<Response> {
  const { organizationId, key } = request
  if (!isValidPdfUrl(services, request)) throw notFound('PDF')
  const deadline = performance.now() + (request.isHead || request.acceptsHtml ? 1000 : maxWait)
  for (;;) {
    const file = await findPdfFile(services.database.reader, { organization_id: organizationId, key })
    if (!file) throw notFound('PDF')
    if (file.state === 'failed') throw new AppError('unprocessable', file.error ?? 'The PDF could not be created')
    if (file.state === 'done' && file.blob !== null) {
      const { name, size, blob } = file
      return respondWithFile(services, { kind: 'file', name, size, blob, contentType: 'application/pdf' }, request)
    }
    if (stopping.aborted || performance.now() > deadline) return progressResponse(file, request)
    await wait(pollInterval)
  }
}

function progressResponse({ state, progress }: Row<'pdf_files'>, { acceptsHtml }: PdfDownloadRequest): Response {
  const headers = { 'retry-after': String(retryAfter), 'cache-control': 'no-store', 'access-control-allow-origin': '*' }
  if (!acceptsHtml) return Response.json({ state, progress }, { status: 202, headers })
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="${retryAfter}"><title>PDF: ${progress}%</title><p>The PDF is being made: <progress max="100" value="${progress}"></progress> ${progress}%</p>`
  const policy = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'" }
  return new Response(page, { status: 202, headers: { ...headers, ...policy } })
}
