import { bindings, namespaces, statusSuccess } from './namespaces.ts'
import type { ServiceUrls } from './service.ts'
import { escapeXml } from './xml.ts'

interface MessageOptions {
  id: string
  /** URL of the identity provider that receives the message. */
  destination: string
  service: ServiceUrls
  issuedAt: string
}

/** Prints a request to sign a person in. */
export function printAuthnRequest(options: MessageOptions): string {
  const attributes = `AssertionConsumerServiceURL="${escapeXml(options.service.acsURL)}" ProtocolBinding="${bindings.post}"`
  return printMessage('AuthnRequest', options, attributes, '<samlp:NameIDPolicy AllowCreate="true"/>')
}

/** Prints a request to end the session of a person at the identity provider. */
export function printLogoutRequest(
  options: MessageOptions,
  person: { subject: string; subjectFormat: string | undefined; sessionIndex: string | undefined },
): string {
  const format = person.subjectFormat === undefined ? '' : ` Format="${escapeXml(person.subjectFormat)}"`
  const nameId = `<saml:NameID${format}>${escapeXml(person.subject)}</saml:NameID>`
  const session =
    person.sessionIndex === undefined
      ? ''
      : `<samlp:SessionIndex>${escapeXml(person.sessionIndex)}</samlp:SessionIndex>`
  return printMessage('LogoutRequest', options, '', `${nameId}${session}`)
}

/** Prints the answer to a logout request of the identity provider. */
export function printLogoutResponse(options: MessageOptions, inResponseTo: string): string {
  const status = `<samlp:Status><samlp:StatusCode Value="${statusSuccess}"/></samlp:Status>`
  return printMessage('LogoutResponse', options, `InResponseTo="${escapeXml(inResponseTo)}"`, status)
}

function printMessage(
  name: string,
  { id, destination, service, issuedAt }: MessageOptions,
  attributes: string,
  content: string,
): string {
  return (
    `<samlp:${name} xmlns:samlp="${namespaces.protocol}" xmlns:saml="${namespaces.assertion}" ID="${escapeXml(id)}" ` +
    `Version="2.0" IssueInstant="${issuedAt}" Destination="${escapeXml(destination)}"${attributes && ` ${attributes}`}>` +
    `<saml:Issuer>${escapeXml(service.entityID)}</saml:Issuer>${content}</samlp:${name}>`
  )
}
