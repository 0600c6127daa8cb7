import type { FileObject, NamedEntry } from '../../content/revision/objects.ts'
import type { Urls } from '../../kernel/context.ts'
import type { Signer } from '../../kernel/signer.ts'
import { days } from '../../kernel/time.ts'

/** What makes the ids and addresses in replies about content. */
export interface Addresses {
  spaceId: string
  urls: Urls
  signer: Signer
  now: () => string
}

/** How long the address of a file works at the least; at the most it is twice as long. */
const downloadPeriod = days(30)

/**
 * Names a document by its hash, signed for the space: whoever knows the id was given it by that space,
 * so it need not be looked up whether the document is in it.
 */
export function documentIdOf({ spaceId, signer }: Pick<Addresses, 'spaceId' | 'signer'>, hash: string): string {
  return `${hash}${signer.sign(`document ${spaceId} ${hash}`)}`
}

/** The hash in an id that `documentIdOf` gave for this space. */
export function readDocumentId(
  { spaceId, signer }: Pick<Addresses, 'spaceId' | 'signer'>,
  id: string,
): string | undefined {
  const [hash, signature] = [id.slice(0, 64), id.slice(64)]
  return signer.verify(`document ${spaceId} ${hash}`, signature) ? hash : undefined
}

/** The number of the period that a time lies in: in each, files have other addresses. */
export const downloadPeriodAt = (time: string): number => Math.floor(Date.parse(time) / downloadPeriod)

/**
 * Where a file is downloaded from. The address alone opens it, for images in pages cannot carry a token. It stays the
 * same for a period, so that replies that hold it can be cached, and works until the end of the next one.
 */
export function downloadUrlOf(
  { spaceId, urls, signer, now }: Addresses,
  { hash }: NamedEntry,
  file: FileObject,
): string {
  const expires = (downloadPeriodAt(now()) + 2) * downloadPeriod
  const signature = signer.sign(signedDownload(spaceId, hash, expires))
  return urls.plain(
    `/files/${spaceId}/${hash}/${encodeURIComponent(file.name)}?expires=${expires}&signature=${signature}`,
  )
}

/** Whether an address of a file was given out and still works. */
export function mayDownload(
  { signer, now }: Pick<Addresses, 'signer' | 'now'>,
  { spaceId, hash, expires, signature }: { spaceId: string; hash: string; expires: string; signature: string },
): boolean {
  return Number(expires) > Date.parse(now()) && signer.verify(signedDownload(spaceId, hash, expires), signature)
}

const signedDownload = (spaceId: string, hash: string, expires: number | string) =>
  `download ${spaceId} ${hash} ${expires}`
