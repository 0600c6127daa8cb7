// Images in data URLs, as build tools write small ones.

/** Maximum length of a data URL: build tools write no larger ones, and many would fill the text of a page. */
const maxLength = 100_000
/** Minimum size of an image; smaller ones are placeholders. */
const minBytes = 120

const pattern = /^data:(image\/(?:png|jpeg|gif|webp|avif|svg\+xml))(?:;[\w=-]+)*?(;base64)?,/i

export interface DataUrlImage {
  contentType: string
  bytes: Uint8Array
  /** Normalized data URL, which needs no escaping in texts. */
  address: string
}

export const isDataUrl = (address: string): boolean => /^\s*data:/i.test(address)

export function parseDataUrlImage(address: string): DataUrlImage | undefined {
  const trimmed = address.length <= maxLength ? address.trim() : ''
  const [head, type = '', base64] = pattern.exec(trimmed) ?? []
  if (head === undefined) return undefined
  const bytes = decodeData(trimmed.slice(head.length), base64 !== undefined)
  if (!bytes || bytes.length < minBytes) return undefined
  const contentType = type.toLowerCase()
  return { contentType, bytes, address: `data:${contentType};base64,${bytes.toString('base64')}` }
}

function decodeData(data: string, isBase64: boolean): Buffer | undefined {
  try {
    const decoded = decodeURIComponent(data)
    return Buffer.from(decoded, isBase64 ? 'base64' : 'utf8')
  } catch {
    return undefined
  }
}

const extensions: Readonly<Record<string, string>> = { 'image/jpeg': '.jpg', 'image/svg+xml': '.svg' }

export const extensionOf = (contentType: string): string => extensions[contentType] ?? `.${contentType.split('/')[1]}`
