import { SamlError } from './error.ts'
import { namespaces } from './namespaces.ts'
import { type XmlElement, childrenOf, findChild, getChild, textOf, walkXml } from './xml.ts'

const exclusiveCanonicalization = [
  'http://www.w3.org/2001/10/xml-exc-c14n#',
  'http://www.w3.org/2001/10/xml-exc-c14n#WithComments',
]
const envelopedSignature = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const signatureMethods = [
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
]
const digestMethods = ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512']

/** A response whose structure leaves no doubt about which elements are signed. */
export interface SignedResponse {
  response: XmlElement
  /** Whether the response is signed in addition to its assertion. */
  isResponseSigned: boolean
  /** Certificates that the signatures state, as base64. */
  statedCertificates: string[]
}

/**
 * Checks the structure of a response before its signatures are verified: one assertion, which is a child of the response and
 * has a signature of its own, signatures that refer to their parent, unique ids, and accepted algorithms. All variants of
 * signature wrapping need a second assertion, a second signature or a repeated id.
 */
export function checkSignedResponse(response: XmlElement): SignedResponse {
  if (response.namespace !== namespaces.protocol || response.name !== 'Response')
    throw new SamlError('The message is not a SAML response')
  const ids = new Set<string>()
  const signed = new Map<XmlElement, XmlElement>()
  const assertions: XmlElement[] = []
  for (const [element, parent] of walkXml(response)) {
    collectIds(element, ids)
    if (element.name === 'EncryptedAssertion')
      throw new SamlError('Encrypted assertions are not supported. Turn off encryption in the identity provider')
    if (element.name === 'Assertion') {
      if (parent !== response || element.namespace !== namespaces.assertion)
        throw new SamlError('The response contains an assertion in an unexpected place')
      assertions.push(element)
    }
    if (element.name === 'Signature') {
      const isExpected = parent === response || (parent !== undefined && assertions.includes(parent))
      if (!parent || !isExpected || element.namespace !== namespaces.signature || signed.has(parent))
        throw new SamlError('The response contains a signature in an unexpected place')
      signed.set(parent, element)
    }
  }
  const [assertion, otherAssertion] = assertions
  if (!assertion || otherAssertion) throw new SamlError('The response must contain exactly one assertion')
  if (!signed.has(assertion))
    throw new SamlError('The assertion is not signed. Sign assertions in the identity provider')
  for (const [element, signature] of signed) checkSignature(signature, element)
  const statedCertificates = [...signed.values()].flatMap(readStatedCertificates)
  return { response, isResponseSigned: signed.has(response), statedCertificates }
}

/**
 * Checks the structure of a message that is signed as a whole: its only signature is a child of the message and refers to it. Returns the
 * certificates that the signature states, as base64.
 */
export function checkSignedMessage(message: XmlElement): string[] {
  const ids = new Set<string>()
  const signatures: XmlElement[] = []
  for (const [element, parent] of walkXml(message)) {
    collectIds(element, ids)
    if (element.name !== 'Signature') continue
    if (parent !== message || element.namespace !== namespaces.signature)
      throw new SamlError('The message contains a signature in an unexpected place')
    signatures.push(element)
  }
  const [signature, other] = signatures
  if (!signature || other) throw new SamlError('The message must contain exactly one signature')
  checkSignature(signature, message)
  return readStatedCertificates(signature)
}

function readStatedCertificates(signature: XmlElement): string[] {
  return Array.from(walkXml(signature), ([element]) => element)
    .filter(({ namespace, name }) => namespace === namespaces.signature && name === 'X509Certificate')
    .map((element) => textOf(element).replace(/\s+/g, ''))
}

function collectIds(element: XmlElement, ids: Set<string>): void {
  for (const [name, value] of element.attributes) {
    if (!/^(?:.*:)?id$/i.test(name)) continue
    if (ids.has(value) || name.includes(':')) throw new SamlError('The message repeats an ID')
    ids.add(value)
  }
}

const isPartOfSignature = ({ namespace, name }: XmlElement): boolean =>
  namespace === namespaces.signature && ['SignedInfo', 'SignatureValue', 'KeyInfo'].includes(name)

function checkSignature(signature: XmlElement, parent: XmlElement): void {
  if (!signature.children.every(isPartOfSignature)) throw new SamlError('The signature contains an unexpected element')
  const info = getChild(signature, namespaces.signature, 'SignedInfo')
  textOf(getChild(signature, namespaces.signature, 'SignatureValue'))
  requireAlgorithm(getChild(info, namespaces.signature, 'CanonicalizationMethod'), exclusiveCanonicalization)
  requireAlgorithm(getChild(info, namespaces.signature, 'SignatureMethod'), signatureMethods)
  const reference = getChild(info, namespaces.signature, 'Reference')
  const id = parent.attributes.get('ID')
  if (id === undefined || !/^[A-Za-z_][\w.-]{0,255}$/.test(id) || reference.attributes.get('URI') !== `#${id}`)
    throw new SamlError('The signature does not refer to the element that contains it')
  requireAlgorithm(getChild(reference, namespaces.signature, 'DigestMethod'), digestMethods)
  textOf(getChild(reference, namespaces.signature, 'DigestValue'))
  const list = findChild(reference, namespaces.signature, 'Transforms')
  const transforms = list ? childrenOf(list, namespaces.signature, 'Transform') : []
  for (const transform of transforms) requireAlgorithm(transform, [envelopedSignature, ...exclusiveCanonicalization])
  if (transforms.length !== 2 || transforms[0]?.attributes.get('Algorithm') !== envelopedSignature)
    throw new SamlError('The signature has unexpected transforms')
}

function requireAlgorithm(element: XmlElement, accepted: readonly string[]): void {
  const algorithm = element.attributes.get('Algorithm') ?? ''
  if (!accepted.includes(algorithm))
    throw new SamlError(`The algorithm ${algorithm.slice(0, 100)} is not accepted. Use RSA with SHA-256 or SHA-512`)
}
