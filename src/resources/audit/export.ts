import { Readable } from 'node:stream'
import { AuditExport } from '../../contract/audit.ts'
import { formatAuditEvents, readAuditEvents } from '../../domain/audit/audit-files.ts'
import type { AuditDownloadRequest } from '../../files/requests.ts'
import type { BaseContext, Urls } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Signer } from '../../kernel/signer.ts'
import { type Clock, minutes } from '../../kernel/time.ts'
import type { Database } from '../../storage/database.ts'

/** Validity of the URL of an export. */
const urlLifetime = minutes(10)

const contentTypes = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' }

/** Returns the signed URL of an export. The URL contains the filters, so that any server can answer it. */
export function createExportUrl(
  { signer, urls, now }: Pick<BaseContext, 'signer' | 'urls' | 'now'>,
  organizationId: string,
  exported: AuditExport,
): string {
  const key = Buffer.from(JSON.stringify(exported)).toString('base64url')
  const expires = Date.parse(now()) + urlLifetime
  const signature = signer.sign(toSignatureInput(organizationId, key, expires))
  return urls.plain(
    `/audit-exports/${organizationId}/${key}/audit-events.${exported.format}?expires=${expires}&signature=${signature}`,
  )
}

interface ExportServices {
  database: Database
  signer: Signer
  clock: Clock
  urls: Urls
}

/** Responds with the events of an export, which are read while they are sent. */
export function downloadAuditEvents(
  { database, signer, clock, urls }: ExportServices,
  { organizationId, key, expires, signature, isHead }: AuditDownloadRequest,
): Response {
  const isValid = Number(expires) > clock() && signer.verify(toSignatureInput(organizationId, key, expires), signature)
  if (!isValid) throw notFound('export')
  const { format, ...filter } = AuditExport.parse(JSON.parse(Buffer.from(key, 'base64url').toString()))
  const headers = {
    'content-type': contentTypes[format],
    'content-disposition': `attachment; filename="audit-events.${format}"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  if (isHead) return new Response(null, { headers })
  const pages = readAuditEvents(database.reader, organizationId, filter)
  const body = Readable.from(formatAuditEvents(pages, format, urls), { objectMode: false })
  return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, { headers })
}

const toSignatureInput = (organizationId: string, key: string, expires: number | string): string =>
  `audit ${organizationId} ${key} ${expires}`
