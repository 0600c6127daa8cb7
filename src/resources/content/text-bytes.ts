import { hashGitBlob } from './folder.ts'

/**
 * Returns the bytes of a source as they were in its file; undefined if the source is empty because the file was too
 * large to import.
 */
export function restoreSourceBytes(text: string, oid: string): Buffer | undefined {
  return findOriginalBytes(text, oid) ?? (text === '' ? undefined : Buffer.from(text))
}

/** Returns the bytes that a text was decoded from, found by their Git object id; undefined if no encoding matches. */
function findOriginalBytes(text: string, oid: string): Buffer | undefined {
  const algorithm = algorithmOf(oid)
  return encodings.map((encode) => encode(text)).find((bytes) => bytes && hashGitBlob(bytes, algorithm) === oid)
}

export const algorithmOf = (oid: string): 'sha1' | 'sha256' => (oid.length === 64 ? 'sha256' : 'sha1')

/** Encodings in which texts are read, the most common first. */
const encodings: ((text: string) => Buffer | undefined)[] = [
  (text) => Buffer.from(text),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  encodeWindows1252,
]

const allBytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
const characters = new TextDecoder('windows-1252').decode(allBytes)
const byteByCharacter = new Map(Array.from(allBytes, (byte) => [characters.charAt(byte), byte]))

function encodeWindows1252(text: string): Buffer | undefined {
  const bytes = Buffer.alloc(text.length)
  for (let index = 0; index < text.length; index++) {
    const byte = byteByCharacter.get(text.charAt(index))
    if (byte === undefined) return undefined
    bytes[index] = byte
  }
  return bytes
}
