import type { FileObject, ItemEntry } from '../../content/revision/objects.ts'
import type { Urls } from '../../kernel/context.ts'
import type { Signer } from '../../kernel/signer.ts'
import { days } from '../../kernel/time.ts'

/** Services and values from which ids and URLs in content replies are made. */
export interface LinkContext {
  spaceId: string
  urls: Urls
  signer: Signer
  now: () => string
}

/** Minimum lifetime of a download URL; the maximum is twice as long. */
const downloadPeriod = days(30)

/**
 * Returns the id of a document: its hash, signed for the space. A valid signature proves that the space returned the id,
 * so no lookup is needed to check that the document belongs to the space.
 */
export function documentIdOf({ spaceId, signer }: Pick<LinkContext, 'spaceId' | 'signer'>, hash: string): string {
  return `${hash}${signer.sign(`document ${spaceId} ${hash}`)}`
}

/** Returns the hash in an id made by `documentIdOf` for this space; undefined if the signature is invalid. */
export function readDocumentId(
  { spaceId, signer }: Pick<LinkContext, 'spaceId' | 'signer'>,
  id: string,
): string | undefined {
  const [hash, signature] = [id.slice(0, 64), id.slice(64)]
  return signer.verify(`document ${spaceId} ${hash}`, signature) ? hash : undefined
}

/** Returns the number of the period that contains a time; download URLs differ between periods. */
export const downloadPeriodAt = (time: string): number => Math.floor(Date.parse(time) / downloadPeriod)

/**
 * Returns the download URL of a file. It needs no token, because images in pages cannot send one. It is constant within
 * a period, so that replies with it can be cached, and expires at the end of the next period.
 */
export function downloadUrlOf(
  { spaceId, urls, signer, now }: LinkContext,
  { hash }: ItemEntry,
  file: FileObject,
): string {
  const expires = (downloadPeriodAt(now()) + 2) * downloadPeriod
  const signature = signer.sign(downloadSignatureInput(spaceId, hash, expires))
  return urls.plain(
    `/files/${spaceId}/${hash}/${encodeURIComponent(file.name)}?expires=${expires}&signature=${signature}`,
  )
}

/** Whether the signature of a download URL is valid and has not expired. */
export function isValidDownload(
  { signer, now }: Pick<LinkContext, 'signer' | 'now'>,
  { spaceId, hash, expires, signature }: { spaceId: string; hash: string; expires: string; signature: string },
): boolean {
  return Number(expires) > Date.parse(now()) && signer.verify(downloadSignatureInput(spaceId, hash, expires), signature)
}

const downloadSignatureInput = (spaceId: string, hash: string, expires: number | string) =>
  `download ${spaceId} ${hash} ${expires}`
