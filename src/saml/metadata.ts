import { X509Certificate } from 'node:crypto'
import { parseCertificates } from './certificates.ts'
import { SamlError } from './error.ts'
import { bindings, nameIdFormats, namespaces } from './namespaces.ts'
import type { ServiceUrls } from './service.ts'
import { type XmlElement, childrenOf, escapeXml, findChild, getChild, readXml, textOf, walkXml } from './xml.ts'

/** Maximum number of characters of the metadata of an identity provider. */
export const maxMetadataLength = 100_000

/** Settings of an identity provider, as its metadata states them. */
export interface IdentityProviderMetadata {
  entityID: string
  ssoURL: string
  /** Certificates in PEM format, one after another. */
  certificate: string
  logoutURL: string | undefined
}

/** Metadata describes much that is not used, and only administrators send it. */
const metadataLimits = { elements: 5000, declarations: 5000 }

/** Reads the metadata of an identity provider. */
export function parseMetadata(xml: string): IdentityProviderMetadata {
  if (xml.length > maxMetadataLength) throw new SamlError('is too large')
  const descriptor = findEntityDescriptor(readXml(removeComments(xml), metadataLimits))
  const entityID = descriptor.attributes.get('entityID')
  const provider = getChild(descriptor, namespaces.metadata, 'IDPSSODescriptor')
  const ssoURL = findLocation(provider, 'SingleSignOnService')
  if (!entityID || !ssoURL) throw new SamlError('has no entityID or no SingleSignOnService with the redirect binding')
  const certificates = readSigningCertificates(provider)
  if (certificates.length === 0) throw new SamlError('has no certificate for signatures')
  const { pems } = parseCertificates(certificates.join('\n'))
  return { entityID, ssoURL, certificate: pems.join(''), logoutURL: findLocation(provider, 'SingleLogoutService') }
}

/** Removes comments, which some identity providers write into their metadata. */
function removeComments(xml: string): string {
  let text = ''
  let position = 0
  for (;;) {
    const start = xml.indexOf('<!--', position)
    const end = start === -1 ? -1 : xml.indexOf('-->', start + 4)
    if (end === -1) return text + xml.slice(position)
    text += xml.slice(position, start)
    position = end + '-->'.length
  }
}

/** Returns the only description of an identity provider, which may be in a list. */
function findEntityDescriptor(root: XmlElement): XmlElement {
  const [found, other] = [...walkXml(root)].flatMap(([element]) =>
    element.namespace === namespaces.metadata &&
    element.name === 'EntityDescriptor' &&
    childrenOf(element, namespaces.metadata, 'IDPSSODescriptor').length > 0
      ? [element]
      : [],
  )
  if (!found || other) throw new SamlError('must describe exactly one identity provider')
  return found
}

function findLocation(provider: XmlElement, name: string): string | undefined {
  return childrenOf(provider, namespaces.metadata, name)
    .find((service) => service.attributes.get('Binding') === bindings.redirect)
    ?.attributes.get('Location')
}

function readSigningCertificates(provider: XmlElement): string[] {
  return childrenOf(provider, namespaces.metadata, 'KeyDescriptor')
    .filter((key) => key.attributes.get('use') !== 'encryption')
    .flatMap((key) => findChild(key, namespaces.signature, 'KeyInfo') ?? [])
    .flatMap((info) => childrenOf(info, namespaces.signature, 'X509Data'))
    .flatMap((data) => childrenOf(data, namespaces.signature, 'X509Certificate'))
    .map((element) => `-----BEGIN CERTIFICATE-----\n${textOf(element)}\n-----END CERTIFICATE-----`)
}

/** Prints the metadata of this server for one provider; with a certificate, requests are signed with its key. */
export function printMetadata(service: ServiceUrls, certificate: string | undefined, signsRequests: boolean): string {
  const key = certificate === undefined ? '' : printKey(certificate)
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="${namespaces.metadata}" xmlns:ds="${namespaces.signature}" entityID="${escapeXml(service.entityID)}">
  <md:SPSSODescriptor AuthnRequestsSigned="${signsRequests}" WantAssertionsSigned="true" protocolSupportEnumeration="${namespaces.protocol}">${key}
    <md:SingleLogoutService Binding="${bindings.redirect}" Location="${escapeXml(service.logoutURL)}"/>
    <md:SingleLogoutService Binding="${bindings.post}" Location="${escapeXml(service.logoutURL)}"/>
    <md:NameIDFormat>${nameIdFormats.persistent}</md:NameIDFormat>
    <md:NameIDFormat>${nameIdFormats.email}</md:NameIDFormat>
    <md:AssertionConsumerService Binding="${bindings.post}" Location="${escapeXml(service.acsURL)}" index="0" isDefault="true"/>
  </md:SPSSODescriptor>
</md:EntityDescriptor>
`
}

const printKey = (certificate: string) => `
    <md:KeyDescriptor use="signing">
      <ds:KeyInfo>
        <ds:X509Data>
          <ds:X509Certificate>${new X509Certificate(certificate).raw.toString('base64')}</ds:X509Certificate>
        </ds:X509Data>
      </ds:KeyInfo>
    </md:KeyDescriptor>`
