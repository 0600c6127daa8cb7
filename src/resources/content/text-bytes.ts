import { gitIdOf } from './folder.ts'

/**
 * Returns the bytes of a source as they were in its file; undefined if the source is empty because the file was too
 * large to import.
 */
export function bytesOfSource(text: string, oid: string): Buffer | undefined {
  return originalBytes(text, oid) ?? (text === '' ? undefined : Buffer.from(text))
}

/** Returns the bytes that a text was decoded from, found by their Git object id; undefined if no encoding matches. */
function originalBytes(text: string, oid: string): Buffer | undefined {
  const algorithm = algorithmOf(oid)
  return encodings.map((encode) => encode(text)).find((bytes) => bytes && gitIdOf(bytes, algorithm) === oid)
}

export const algorithmOf = (oid: string): 'sha1' | 'sha256' => (oid.length === 64 ? 'sha256' : 'sha1')

/** Encodings in which texts are read, the most common first. */
const encodings: ((text: string) => Buffer | undefined)[] = [
  (text) => Buffer.from(text),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  windows1252,
]

const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte)
const characters = new TextDecoder('windows-1252').decode(everyByte)
const byteOf = new Map(Array.from(everyByte, (byte) => [characters.charAt(byte), byte]))

function windows1252(text: string): Buffer | undefined {
  const bytes = Buffer.alloc(text.length)
  for (let index = 0; index < text.length; index++) {
    const byte = byteOf.get(text.charAt(index))
    if (byte === undefined) return undefined
    bytes[index] = byte
  }
  return bytes
}
