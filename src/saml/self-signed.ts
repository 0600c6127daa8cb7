import { createPublicKey, createSign, randomBytes } from 'node:crypto'

/** Universal tags of DER. */
const tags = { integer: 0x02, bitString: 0x03, oid: 0x06, utf8: 0x0c, sequence: 0x30, set: 0x31 } as const

const commonName = Buffer.from('550403', 'hex')
const sha256WithRsa = Buffer.from('2a864886f70d01010b', 'hex')

/**
 * Creates a self-signed certificate for an RSA key. Identity providers expect keys inside certificates, but use only the key,
 * and Node.js cannot create certificates.
 */
export function createSelfSignedCertificate(
  privateKey: string,
  { name, from, until }: { name: string; from: Date; until: Date },
): string {
  const algorithm = der(tags.sequence, der(tags.oid, sha256WithRsa), Buffer.from('0500', 'hex'))
  const subject = der(
    tags.sequence,
    der(tags.set, der(tags.sequence, der(tags.oid, commonName), der(tags.utf8, Buffer.from(name)))),
  )
  // The first bits are fixed, because the number must be positive and without leading zeros.
  const serial = Buffer.concat([Buffer.from([0x40]), randomBytes(15)])
  const body = der(
    tags.sequence,
    Buffer.from('a003020102', 'hex'),
    der(tags.integer, serial),
    algorithm,
    subject,
    der(tags.sequence, derTime(from), derTime(until)),
    subject,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
  )
  const signature = createSign('sha256').update(body).sign(privateKey)
  const certificate = der(tags.sequence, body, algorithm, der(tags.bitString, Buffer.from([0]), signature))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content])
  const lengthBytes = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, '0'), 'hex')
  return Buffer.concat([Buffer.from([tag, 0x80 | lengthBytes.length]), lengthBytes, content])
}

/** Encodes a time: two digits of the year before 2050, else four. */
function derTime(time: Date): Buffer {
  const text = `${time.toISOString().replace(/[-:T]|\..*/g, '')}Z`
  return time.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text))
}
