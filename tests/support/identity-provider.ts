import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { SignedXml } from 'xml-crypto'
import { buildRedirectUrl } from '../../src/saml/redirect-binding.ts'
import { createSelfSignedCertificate } from '../../src/saml/self-signed.ts'
import { escapeXml } from '../../src/saml/xml.ts'
import { takeRsaKey } from './rsa-keys.ts'

/** Service that a response is for, as the server describes it in its metadata. */
export interface ServiceDescription {
  entityID: string
  acsURL: string
}

/** Everything that a response contains; tests change single values to attack the server. */
export interface ResponseOptions {
  nameID: string
  nameIDFormat?: string
  attributes?: Record<string, string | string[]>
  /** Milliseconds of the current time. */
  now: number
  inResponseTo?: string | undefined
  /** `InResponseTo` of the assertion, if it differs from that of the response. */
  subjectInResponseTo?: string
  issuer?: string
  audience?: string
  recipient?: string
  destination?: string
  assertionId?: string
  notBefore?: number
  notOnOrAfter?: number
  sessionIndex?: string
  statusCode?: string
  signsAssertion?: boolean
  signsResponse?: boolean
  signatureAlgorithm?: string
  digestAlgorithm?: string
}

export const algorithms = {
  rsaSha1: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
  rsaSha256: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  rsaSha512: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  hmacSha1: 'http://www.w3.org/2000/09/xmldsig#hmac-sha1',
  sha1: 'http://www.w3.org/2000/09/xmldsig#sha1',
  sha256: 'http://www.w3.org/2001/04/xmlenc#sha256',
  sha512: 'http://www.w3.org/2001/04/xmlenc#sha512',
}

const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol'
const assertionNamespace = 'urn:oasis:names:tc:SAML:2.0:assertion'
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const minute = 60_000

const isoTime = (time: number) => new Date(time).toISOString()

const generateKey = (bits: number): string =>
  String(generateKeyPairSync('rsa', { modulusLength: bits }).privateKey.export({ type: 'pkcs8', format: 'pem' }))

/** Identity provider with a real key that signs real XML. */
export class IdentityProvider {
  readonly entityID: string
  readonly ssoURL: string
  readonly logoutURL: string
  readonly privateKey: string
  readonly certificate: string

  constructor(name: string, { bits, until = new Date('2040-01-01') }: { bits?: number; until?: Date } = {}) {
    this.entityID = `https://${name}.example/metadata`
    this.ssoURL = `https://${name}.example/sso`
    this.logoutURL = `https://${name}.example/slo`
    this.privateKey = bits === undefined ? takeRsaKey() : generateKey(bits)
    this.certificate = createSelfSignedCertificate(this.privateKey, { name, from: new Date('2020-01-01'), until })
  }

  /** Settings of a provider for the API. */
  get settings() {
    return { entityID: this.entityID, ssoURL: this.ssoURL, certificate: this.certificate }
  }

  get metadata(): string {
    const key = this.certificate.replace(/-----[A-Z ]+-----|\n/g, '')
    return `<?xml version="1.0"?><EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${this.entityID}">
      <IDPSSODescriptor protocolSupportEnumeration="${protocol}">
        <KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>
          <ds:X509Certificate>${key}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>
        <SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${this.logoutURL}"/>
        <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${this.ssoURL}/post"/>
        <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${this.ssoURL}"/>
      </IDPSSODescriptor></EntityDescriptor>`
  }

  /** Returns the XML of a signed response. */
  respondXml(service: ServiceDescription, options: ResponseOptions): string {
    const { signsAssertion = true, signsResponse = false } = options
    let xml = printResponse(this, service, options)
    if (signsAssertion) xml = this.sign(xml, 'Assertion', options)
    if (signsResponse) xml = this.sign(xml, 'Response', options)
    return xml
  }

  /** Returns the value of the form field `SAMLResponse`. */
  respond(service: ServiceDescription, options: ResponseOptions): string {
    return encode(this.respondXml(service, options))
  }

  /** Adds an enveloped signature to the first element with a name. */
  sign(
    xml: string,
    element: 'Assertion' | 'Response' | 'LogoutRequest',
    { signatureAlgorithm = algorithms.rsaSha256, digestAlgorithm = algorithms.sha256 }: Partial<ResponseOptions> = {},
  ): string {
    const isHmac = signatureAlgorithm === algorithms.hmacSha1
    const signer = new SignedXml({
      // Key confusion: the public certificate is used as the secret of an HMAC.
      privateKey: isHmac ? this.certificate : this.privateKey,
      publicCert: this.certificate,
      signatureAlgorithm,
      canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
    })
    if (isHmac) signer.enableHMAC()
    const xpath = `//*[local-name(.)='${element}']`
    signer.addReference({
      xpath,
      transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
      digestAlgorithm,
    })
    const location = { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' as const }
    signer.computeSignature(xml, { prefix: 'ds', location })
    return signer.getSignedXml()
  }

  /** Returns the URL of a logout request to the server. */
  logoutUrl(target: string, options: LogoutOptions, relayState?: string): string {
    const xml = printLogoutRequest(this, target, options)
    return buildRedirectUrl(target, { parameter: 'SAMLRequest', xml, relayState }, this.privateKey)
  }

  /** Returns the XML of a signed logout request for the POST binding. */
  logoutXml(target: string, options: LogoutOptions): string {
    return this.sign(printLogoutRequest(this, target, options), 'LogoutRequest')
  }
}

export interface LogoutOptions {
  nameID: string
  sessionIndex?: string
  /** Milliseconds of the current time. */
  now: number
}

function printLogoutRequest(provider: IdentityProvider, target: string, options: LogoutOptions): string {
  const { nameID, sessionIndex, now } = options
  const session = sessionIndex === undefined ? '' : `<p:SessionIndex>${escapeXml(sessionIndex)}</p:SessionIndex>`
  return (
    `<p:LogoutRequest xmlns:p="${protocol}" xmlns="${assertionNamespace}" ID="_${randomUUID()}" Version="2.0" ` +
    `IssueInstant="${isoTime(now)}" Destination="${escapeXml(target)}"><Issuer>${provider.entityID}</Issuer>` +
    `<NameID>${escapeXml(nameID)}</NameID>${session}</p:LogoutRequest>`
  )
}

/** Encodes a message for the POST binding. */
export const encode = (xml: string): string => Buffer.from(xml).toString('base64')

/** Decodes the message in the query of a redirect. */
export function decodeRedirect(location: string): { xml: string; id: string; relayState: string | null; url: URL } {
  const url = new URL(location)
  const encoded = url.searchParams.get('SAMLRequest') ?? url.searchParams.get('SAMLResponse') ?? ''
  const xml = inflateRawSync(Buffer.from(encoded, 'base64')).toString()
  return { xml, id: / ID="([^"]+)"/.exec(xml)?.[1] ?? '', relayState: url.searchParams.get('RelayState'), url }
}

const answers = (id: string | undefined) => (id === undefined ? '' : ` InResponseTo="${id}"`)

function printResponse(provider: IdentityProvider, service: ServiceDescription, options: ResponseOptions): string {
  const { now, inResponseTo, subjectInResponseTo = inResponseTo, issuer = provider.entityID } = options
  const { audience = service.entityID, recipient = service.acsURL, destination = service.acsURL } = options
  const { notBefore = now - minute, notOnOrAfter = now + 5 * minute, statusCode = success } = options
  const printedIssuer = `<saml:Issuer>${escapeXml(issuer)}</saml:Issuer>`
  return (
    `<samlp:Response xmlns:samlp="${protocol}" xmlns:saml="${assertionNamespace}" ID="_r${randomUUID()}" Version="2.0" ` +
    `IssueInstant="${isoTime(now)}" Destination="${escapeXml(destination)}"${answers(inResponseTo)}>${printedIssuer}` +
    `<samlp:Status><samlp:StatusCode Value="${statusCode}"/></samlp:Status>` +
    `<saml:Assertion ID="${options.assertionId ?? `_a${randomUUID()}`}" Version="2.0" IssueInstant="${isoTime(now)}">${printedIssuer}` +
    `<saml:Subject><saml:NameID${options.nameIDFormat === undefined ? '' : ` Format="${options.nameIDFormat}"`}>${escapeXml(options.nameID)}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData ` +
    `Recipient="${escapeXml(recipient)}" NotOnOrAfter="${isoTime(notOnOrAfter)}"${answers(subjectInResponseTo)}/>` +
    `</saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${isoTime(notBefore)}" NotOnOrAfter="${isoTime(notOnOrAfter)}"><saml:AudienceRestriction>` +
    `<saml:Audience>${escapeXml(audience)}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${isoTime(now)}" SessionIndex="${options.sessionIndex ?? 'session'}"><saml:AuthnContext>` +
    `<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef>` +
    `</saml:AuthnContext></saml:AuthnStatement>${printAttributes(options.attributes ?? {})}</saml:Assertion></samlp:Response>`
  )
}

function printAttributes(attributes: Record<string, string | string[]>): string {
  const entries = Object.entries(attributes)
  if (entries.length === 0) return ''
  const printed = entries.map(([name, values]) => {
    const elements = [values].flat().map((value) => `<saml:AttributeValue>${escapeXml(value)}</saml:AttributeValue>`)
    return `<saml:Attribute Name="${escapeXml(name)}">${elements.join('')}</saml:Attribute>`
  })
  return `<saml:AttributeStatement>${printed.join('')}</saml:AttributeStatement>`
}
