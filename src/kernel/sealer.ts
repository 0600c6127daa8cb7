import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts strings that are stored in the database. */
export interface Sealer {
  seal(text: string): string
  /** Decrypts a string; undefined if it was encrypted with another key or modified. */
  open(sealed: string): string | undefined
}

const nonceLength = 12
const tagLength = 16

/**
 * Creates a sealer whose key is derived from the secret of the installation and, if given, a key that is not stored in
 * the database.
 */
export function createSealer(secret: string, extraKey = ''): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secret, extraKey, 'octavo sealed texts', 32))
  return {
    seal(text) {
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < nonceLength + tagLength) return undefined
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength))
      decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
      try {
        const body = bytes.subarray(nonceLength + tagLength)
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}
