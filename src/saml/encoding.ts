import { inflateRawSync } from 'node:zlib'
import { SamlError } from './error.ts'

/** Maximum size of a decoded message. Messages of identity providers have between 5 and 30 KB. */
export const maxMessageBytes = 256 * 1024

/** Maximum number of characters of an encoded message: base64, possibly in lines. */
export const maxEncodedLength = Math.ceil((maxMessageBytes * 4) / 3) + 16 * 1024

/** Decodes a message of the POST binding. */
export function decodePostMessage(encoded: string): string {
  return decodeUtf8(decodeBase64(encoded))
}

/** Decodes a message of the redirect binding; decompression stops at the maximum size. */
export function decodeRedirectMessage(encoded: string): string {
  const compressed = decodeBase64(encoded)
  try {
    return decodeUtf8(inflateRawSync(compressed, { maxOutputLength: maxMessageBytes }))
  } catch (error) {
    throw error instanceof SamlError ? error : new SamlError('The message cannot be decompressed or is too large')
  }
}

function decodeBase64(encoded: string): Buffer {
  if (encoded.length > maxEncodedLength) throw new SamlError('The message is too large')
  const text = encoded.replace(/[\r\n\t ]+/g, '')
  if (text.length === 0 || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text))
    throw new SamlError('The message is not valid base64')
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length > maxMessageBytes) throw new SamlError('The message is too large')
  return bytes
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new SamlError('The message is not valid UTF-8')
  }
}
