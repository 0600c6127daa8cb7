import { clockSkew } from './assertion.ts'
import { decodeRedirectMessage } from './encoding.ts'
import { SamlError } from './error.ts'
import { namespaces } from './namespaces.ts'
import { type MessageParameter, verifyRedirectSignature } from './redirect-binding.ts'
import { type XmlElement, childrenOf, getChild, readXml, textOf } from './xml.ts'

/** Request of an identity provider to end sessions of a person. */
export interface LogoutRequest {
  id: string
  subject: string
  /** Sessions at the identity provider that end; empty if all of them do. */
  sessionIndexes: string[]
}

/** Expected values of a logout message. */
export interface LogoutExpectation {
  issuer: string
  certificates: readonly string[]
  /** URL at which the message was received. */
  destination: string
  /** Current time in milliseconds. */
  now: number
}

/** Maximum age of a logout request without an expiry, so that an old one cannot be sent again. */
const maxRequestAge = 5 * 60_000

/** Verifies a logout request of the redirect binding. */
export function verifyLogoutRequest(encoded: string, rawQuery: string, expected: LogoutExpectation): LogoutRequest {
  return readLogoutRequest(readRedirectMessage('LogoutRequest', encoded, rawQuery, expected), expected)
}

/** Verifies a logout response of the redirect binding and returns the id of the request that it answers. */
export function verifyLogoutResponse(encoded: string, rawQuery: string, expected: LogoutExpectation): string {
  return readRedirectMessage('LogoutResponse', encoded, rawQuery, expected).attributes.get('InResponseTo') ?? ''
}

/** Reads a logout request whose signature is valid. */
export function readLogoutRequest(request: XmlElement, { now }: LogoutExpectation): LogoutRequest {
  const issuedAt = Date.parse(request.attributes.get('IssueInstant') ?? '')
  const end = request.attributes.get('NotOnOrAfter')
  const expiresAt = Math.min(issuedAt + maxRequestAge, end === undefined ? Infinity : Date.parse(end) + clockSkew)
  if (!(issuedAt - clockSkew <= now && now < expiresAt)) throw new SamlError('The logout request has expired')
  return {
    id: request.attributes.get('ID') ?? '',
    subject: textOf(getChild(request, namespaces.assertion, 'NameID')),
    sessionIndexes: childrenOf(request, namespaces.protocol, 'SessionIndex').map(textOf),
  }
}

type LogoutMessage = 'LogoutRequest' | 'LogoutResponse'

function readRedirectMessage(
  name: LogoutMessage,
  encoded: string,
  rawQuery: string,
  expected: LogoutExpectation,
): XmlElement {
  const parameter: MessageParameter = name === 'LogoutRequest' ? 'SAMLRequest' : 'SAMLResponse'
  verifyRedirectSignature(rawQuery, parameter, expected.certificates)
  const message = readXml(decodeRedirectMessage(encoded))
  checkLogoutMessage(name, message, expected)
  return message
}

/** Checks the type, the sender and the destination of a logout message. */
export function checkLogoutMessage(
  name: LogoutMessage,
  message: XmlElement,
  { issuer, destination }: LogoutExpectation,
): void {
  if (message.namespace !== namespaces.protocol || message.name !== name)
    throw new SamlError(`The message is not a ${name}`)
  if (textOf(getChild(message, namespaces.assertion, 'Issuer')) !== issuer)
    throw new SamlError('The message is from another issuer')
  if (message.attributes.get('Destination') !== destination)
    throw new SamlError('The message is for another address (Destination)')
}
