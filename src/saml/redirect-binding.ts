import { createSign, createVerify } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { SamlError } from './error.ts'

export type MessageParameter = 'SAMLRequest' | 'SAMLResponse'

const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const hashBySignatureAlgorithm: Readonly<Record<string, string>> = {
  [rsaSha256]: 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': 'sha512',
}

/** Adds a message to a URL, with a signature of the query if a private key is given. */
export function buildRedirectUrl(
  target: string,
  message: { parameter: MessageParameter; xml: string; relayState?: string | undefined },
  privateKey: string | undefined,
): string {
  const encoded = deflateRawSync(message.xml).toString('base64')
  const parts = [`${message.parameter}=${encodeURIComponent(encoded)}`]
  if (message.relayState !== undefined) parts.push(`RelayState=${encodeURIComponent(message.relayState)}`)
  if (privateKey !== undefined) {
    parts.push(`SigAlg=${encodeURIComponent(rsaSha256)}`)
    const signature = createSign('sha256').update(parts.join('&')).sign(privateKey, 'base64')
    parts.push(`Signature=${encodeURIComponent(signature)}`)
  }
  const url = new URL(target)
  url.search = url.search === '' ? parts.join('&') : `${url.search.slice(1)}&${parts.join('&')}`
  return url.href
}

/**
 * Verifies the signature of a query with a message. The signature covers the parameters as they were encoded, so it is
 * verified with the query as it was received; repeated parameters are refused.
 */
export function verifyRedirectSignature(
  rawQuery: string,
  parameter: MessageParameter,
  certificates: readonly string[],
): void {
  const parts = rawQuery.split('&')
  const findPart = (name: string) => {
    const [found, other] = parts.filter((part) => part.split('=', 1)[0] === name)
    if (other !== undefined) throw new SamlError(`The parameter ${name} is repeated`)
    return found
  }
  const [algorithm, signature] = [findPart('SigAlg'), findPart('Signature')]
  if (algorithm === undefined || signature === undefined) throw new SamlError('The message is not signed')
  const hash = hashBySignatureAlgorithm[decodeValue(algorithm)]
  if (hash === undefined)
    throw new SamlError('The signature algorithm is not accepted. Use RSA with SHA-256 or SHA-512')
  const signed = [findPart(parameter), findPart('RelayState'), algorithm].filter((part) => part !== undefined).join('&')
  const bytes = Buffer.from(decodeValue(signature), 'base64')
  if (!certificates.some((certificate) => createVerify(hash).update(signed).verify(certificate, bytes)))
    throw new SamlError('The signature is not valid')
}

function decodeValue(part: string): string {
  try {
    return decodeURIComponent(part.slice(part.indexOf('=') + 1).replaceAll('+', ' '))
  } catch {
    throw new SamlError('The query is not valid')
  }
}
