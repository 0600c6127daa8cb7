import { SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import { type AssertionContent, readAssertion } from './assertion.ts'
import { selectCertificates } from './certificates.ts'
import { decodePostMessage } from './encoding.ts'
import { SamlError } from './error.ts'
import { namespaces, statusSuccess } from './namespaces.ts'
import { type SignedResponse, checkSignedResponse } from './signature-rules.ts'
import { findChild, getChild, readXml, textOf } from './xml.ts'

/** Expected values of a response of an identity provider. */
export interface ResponseExpectation {
  /** Entity ID of the identity provider. */
  issuer: string
  /** Certificates of the identity provider in PEM format. */
  certificates: readonly string[]
  /** Entity ID of this server for the provider. */
  audience: string
  /** URL at which the response was received. */
  recipient: string
  /** Current time in milliseconds. */
  now: number
}

/**
 * Verifies a response and returns the content of its assertion. Everything returned is read from the bytes that the signature
 * covers, never from the message itself.
 */
export async function verifyResponse(encoded: string, expected: ResponseExpectation): Promise<AssertionContent> {
  const xml = decodePostMessage(encoded)
  const response = readXml(xml)
  checkStatus(response)
  const signed = checkSignedResponse(response)
  if (response.attributes.get('Version') !== '2.0') throw new SamlError('Only SAML 2.0 is supported')
  if (response.attributes.get('Destination') !== expected.recipient)
    throw new SamlError('The response is for another address (Destination)')
  const issuer = findChild(response, namespaces.assertion, 'Issuer')
  if (issuer && textOf(issuer) !== expected.issuer) throw new SamlError('The response is from another issuer')
  const content = readAssertion(readXml(await verifySignatures(xml, signed, expected)), expected)
  if (content.inResponseTo !== response.attributes.get('InResponseTo'))
    throw new SamlError('The response and its assertion answer different requests')
  return content
}

function checkStatus(response: ReturnType<typeof readXml>): void {
  if (response.namespace !== namespaces.protocol || response.name !== 'Response')
    throw new SamlError('The message is not a SAML response')
  const status = getChild(response, namespaces.protocol, 'Status')
  const code = getChild(status, namespaces.protocol, 'StatusCode').attributes.get('Value') ?? ''
  if (code !== statusSuccess)
    throw new SamlError(`The identity provider did not sign you in (${code.split(':').at(-1)?.slice(0, 50)})`)
}

/** Verifies all signatures and returns the XML of the assertion as it was signed. */
async function verifySignatures(
  xml: string,
  { isResponseSigned, statedCertificates }: SignedResponse,
  { certificates, audience, recipient }: ResponseExpectation,
): Promise<string> {
  const verifier = new SAML({
    idpCert: selectCertificates(certificates, statedCertificates),
    issuer: audience,
    audience,
    callbackUrl: recipient,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: isResponseSigned,
    // Times and requests are checked by `readAssertion` and by the caller, with the clock and the database of the server.
    acceptedClockSkewMs: -1,
    validateInResponseTo: ValidateInResponseTo.never,
  })
  try {
    const { profile } = await verifier.validatePostResponseAsync({ SAMLResponse: Buffer.from(xml).toString('base64') })
    const assertion = profile?.getAssertionXml?.()
    if (assertion !== undefined) return assertion
  } catch (error) {
    const isAudience = error instanceof Error && /audience/i.test(error.message)
    throw new SamlError(
      isAudience
        ? 'The assertion is for another audience'
        : 'The signature is not valid. Check whether the certificate of the identity provider was replaced',
    )
  }
  throw new SamlError('The response has no assertion')
}
