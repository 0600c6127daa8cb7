import { X509Certificate } from 'node:crypto'
import { SamlError } from './error.ts'

/** Certificates with which an identity provider signs. */
export interface CertificateSet {
  /** One certificate in PEM format for each key, so that keys can be replaced without an interruption. */
  pems: string[]
  /** Time at which the last of the certificates expires, as ISO 8601. */
  expiresAt: string
}

const maxCertificates = 5
const minKeyBits = 2048
const maxKeyBits = 8192

const pemBlock = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g

/** Parses one or more certificates: PEM blocks, or the base64 text of a single certificate. */
export function parseCertificates(text: string): CertificateSet {
  const blocks = Array.from(text.matchAll(pemBlock), (match) => match[1] as string)
  const rest = text.replace(pemBlock, '').trim()
  if (blocks.length > 0 ? rest !== '' : !/^[A-Za-z0-9+/=\s]+$/.test(rest))
    throw new SamlError('must be a certificate in PEM format or its base64 text')
  const certificates = (blocks.length > 0 ? blocks : [rest]).map(parseCertificate)
  if (certificates.length > maxCertificates) throw new SamlError(`must have at most ${maxCertificates} certificates`)
  const expiry = Math.max(...certificates.map((certificate) => Date.parse(certificate.validTo)))
  const pems = new Set(certificates.map((certificate) => certificate.toString()))
  return { pems: [...pems], expiresAt: new Date(expiry).toISOString() }
}

function parseCertificate(base64: string): X509Certificate {
  let certificate: X509Certificate
  try {
    certificate = new X509Certificate(Buffer.from(base64.replace(/\s+/g, ''), 'base64'))
  } catch {
    throw new SamlError('is not a valid X.509 certificate')
  }
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey
  if (asymmetricKeyType !== 'rsa') throw new SamlError('must contain an RSA key, because others cannot be verified')
  const bits = asymmetricKeyDetails?.modulusLength ?? 0
  if (bits < minKeyBits || bits > maxKeyBits)
    throw new SamlError(`must have an RSA key of ${minKeyBits} to ${maxKeyBits} bits, but it has ${bits}`)
  return certificate
}

/**
 * Returns the certificates to try. Most signatures state their certificate, so the message need not be verified with each of the
 * configured ones; a stated certificate is never trusted itself.
 */
export function selectCertificates(trusted: readonly string[], stated: readonly string[]): string[] {
  if (stated.length === 0) return [...trusted]
  const selected = trusted.filter((pem) => stated.includes(new X509Certificate(pem).raw.toString('base64')))
  if (selected.length === 0)
    throw new SamlError('The message is signed with a certificate that is not configured for the provider')
  return selected
}
