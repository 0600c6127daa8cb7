import { createHmac, timingSafeEqual } from 'node:crypto'

/** Signs strings that are sent out, and verifies them when they are received again. */
export interface Signer {
  sign(text: string): string
  verify(text: string, signature: string): boolean
}

/** Length of signatures in bytes: 128 bits are too many to guess. */
const signatureLength = 16

export function createSigner(secret: string): Signer {
  const digest = (text: string) => createHmac('sha256', secret).update(text).digest().subarray(0, signatureLength)
  return {
    sign: (text) => digest(text).toString('base64url'),
    verify(text, signature) {
      const given = Buffer.from(signature, 'base64url')
      return given.length === signatureLength && timingSafeEqual(given, digest(text))
    },
  }
}
