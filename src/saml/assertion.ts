import { SamlError } from './error.ts'
import { namespaces, nameIdFormats } from './namespaces.ts'
import { type XmlElement, childrenOf, findChild, getChild, textOf } from './xml.ts'

/** Data about a person in a verified assertion. */
export interface AssertionContent {
  id: string
  /** Identifier of the person at the identity provider. */
  subject: string
  subjectFormat: string | undefined
  /** ID of the request that the assertion answers; undefined if the identity provider initiated the sign-in. */
  inResponseTo: string | undefined
  /** Session at the identity provider, which a logout names. */
  sessionIndex: string | undefined
  /** Time in milliseconds after which the assertion is refused in any case, so that it does not have to be stored longer. */
  expiresAt: number
  /** Values of attributes by name in lower case. */
  attributes: ReadonlyMap<string, readonly string[]>
}

/** Accepted difference between the clocks of the server and the identity provider. */
export const clockSkew = 60_000

/** Maximum validity of an assertion, which limits how long assertions are remembered. */
const maxValidity = 24 * 3600_000

const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const maxSubjectLength = 512

/** Reads an assertion whose signature was verified, and checks that it is for this server and valid now. */
export function readAssertion(
  assertion: XmlElement,
  { issuer, audience, recipient, now }: { issuer: string; audience: string; recipient: string; now: number },
): AssertionContent {
  if (assertion.namespace !== namespaces.assertion || assertion.name !== 'Assertion')
    throw new SamlError('The signed element is not an assertion')
  const id = assertion.attributes.get('ID')
  if (!id || assertion.attributes.get('Version') !== '2.0') throw new SamlError('Only SAML 2.0 is supported')
  if (textOf(getChild(assertion, namespaces.assertion, 'Issuer')) !== issuer)
    throw new SamlError('The assertion is from another issuer')
  checkConditions(getChild(assertion, namespaces.assertion, 'Conditions'), audience, now)
  const subject = getChild(assertion, namespaces.assertion, 'Subject')
  const confirmation = confirmSubject(subject, recipient, now)
  const statement = childrenOf(assertion, namespaces.assertion, 'AuthnStatement')[0]
  if (!statement) throw new SamlError('The assertion does not state that the person signed in')
  const sessionEnd = statement.attributes.get('SessionNotOnOrAfter')
  if (sessionEnd !== undefined && parseTime(sessionEnd) + clockSkew <= now)
    throw new SamlError('The session at the identity provider has expired')
  return {
    id,
    ...readNameId(getChild(subject, namespaces.assertion, 'NameID')),
    ...confirmation,
    sessionIndex: statement.attributes.get('SessionIndex'),
    attributes: readAttributes(assertion),
  }
}

function readNameId(element: XmlElement): Pick<AssertionContent, 'subject' | 'subjectFormat'> {
  const subject = textOf(element)
  const subjectFormat = element.attributes.get('Format')
  if (subject === '' || subject.length > maxSubjectLength) throw new SamlError('The NameID is empty or too long')
  if (subjectFormat === nameIdFormats.transient)
    throw new SamlError('The NameID is transient, so the person cannot be recognized. Use a persistent format')
  return { subject, subjectFormat }
}

function checkConditions(conditions: XmlElement, audience: string, now: number): void {
  checkPeriod(conditions, now)
  const restrictions = childrenOf(conditions, namespaces.assertion, 'AudienceRestriction')
  const isForServer = (restriction: XmlElement) =>
    childrenOf(restriction, namespaces.assertion, 'Audience').some((element) => textOf(element) === audience)
  if (restrictions.length === 0 || !restrictions.every(isForServer))
    throw new SamlError('The assertion is for another audience')
}

/** Finds the confirmation of type bearer that is addressed to this server. */
function confirmSubject(
  subject: XmlElement,
  recipient: string,
  now: number,
): Pick<AssertionContent, 'inResponseTo' | 'expiresAt'> {
  const confirmations = childrenOf(subject, namespaces.assertion, 'SubjectConfirmation')
    .filter((confirmation) => confirmation.attributes.get('Method') === bearer)
    .flatMap((confirmation) => findChild(confirmation, namespaces.assertion, 'SubjectConfirmationData') ?? [])
    .filter((data) => data.attributes.get('Recipient') === recipient)
  const [data, other] = confirmations
  if (!data) throw new SamlError('The assertion is for another address (Recipient)')
  if (other) throw new SamlError('The assertion is confirmed more than once')
  const end = data.attributes.get('NotOnOrAfter')
  if (end === undefined) throw new SamlError('The assertion does not expire')
  checkPeriod(data, now)
  if (parseTime(end) > now + maxValidity) throw new SamlError('The assertion is valid for too long')
  return { inResponseTo: data.attributes.get('InResponseTo'), expiresAt: parseTime(end) + clockSkew }
}

function checkPeriod(element: XmlElement, now: number): void {
  const start = element.attributes.get('NotBefore')
  const end = element.attributes.get('NotOnOrAfter')
  if (start !== undefined && parseTime(start) - clockSkew > now)
    throw new SamlError('The assertion is not valid yet. Check the clocks of both servers')
  if (end !== undefined && parseTime(end) + clockSkew <= now)
    throw new SamlError('The assertion has expired. Sign in again, or check the clocks of both servers')
}

function parseTime(text: string): number {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw new SamlError('The assertion contains an invalid time')
  return time
}

function readAttributes(assertion: XmlElement): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const statement of childrenOf(assertion, namespaces.assertion, 'AttributeStatement')) {
    for (const attribute of childrenOf(statement, namespaces.assertion, 'Attribute')) {
      const name = attribute.attributes.get('Name')?.toLowerCase() ?? ''
      const values = childrenOf(attribute, namespaces.assertion, 'AttributeValue')
        .filter((value) => value.children.length === 0)
        .map(textOf)
      found.set(name, [...(found.get(name) ?? []), ...values])
    }
  }
  return found
}
