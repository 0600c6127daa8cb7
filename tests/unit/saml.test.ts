import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { parseCertificates } from '../../src/saml/certificates.ts'
import { SamlError } from '../../src/saml/error.ts'
import { readProfile } from '../../src/saml/profile.ts'
import { escapeXml, readXml } from '../../src/saml/xml.ts'
import { IdentityProvider } from '../support/identity-provider.ts'
import { expectLinear } from '../support/growth.ts'

test('reads elements with namespaces, attributes and text', () => {
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<a:root xmlns:a="urn:a" xmlns="urn:b" x = '1 &lt; 2'><child  y="&#x20AC;&#10;"/>one &amp; two<a:child xmlns:a="urn:c">3</a:child></a:root>
`
  expect(readXml(text)).toEqual({
    namespace: 'urn:a',
    name: 'root',
    attributes: new Map([['x', '1 < 2']]),
    children: [
      { namespace: 'urn:b', name: 'child', attributes: new Map([['y', '€ ']]), children: [], text: '' },
      { namespace: 'urn:c', name: 'child', attributes: new Map(), children: [], text: '3' },
    ],
    text: 'one & two',
  })
  const hostile = `<>&"'\t\r\n]]>`
  expect(readXml(`<a b="${escapeXml(hostile)}">${escapeXml(hostile)}</a>`).text).toBe(hostile)
})

test.each([
  '',
  'text',
  '<a>',
  '</a>',
  '<a></b>',
  '<a/><b/>',
  '<a/>text',
  '<a b></a>',
  '<a b=1/>',
  '<a b="<"/>',
  '<a b="1" b="2"/>',
  '<p:a/>',
  '<a><!-- --></a>',
  '<a><![CDATA[x]]></a>',
  '<a><?x?></a>',
  '<!DOCTYPE a><a/>',
  '<a>&nbsp;</a>',
  '<a>&</a>',
  '<a>&#0;</a>',
  '<a>&#xD800;</a>',
  '<a>&#x110000;</a>',
  '<a>\u0000</a>',
  '<a\u00A0b="1"/>',
  '<?xml version="1.1"?><a/>',
  '<?xml version="1.0" encoding="latin1"?><a/>',
  '<a/ >',
  '<a:b:c/>',
])('refuses %j', (text) => {
  expect(() => readXml(text)).toThrow(SamlError)
})

test.each([
  ['text', (size: number) => `<a>${'x '.repeat(size)}</a>`],
  ['an unfinished tag', (size: number) => `<a ${'b="1" '.repeat(size)}`],
  ['spaces', (size: number) => `<a${' '.repeat(size)}`],
  ['ampersands', (size: number) => `<a>${'&amp;'.repeat(size)}</a>`],
])('reads %s in linear time', async (_, build) => {
  await expectLinear(50_000, (size) => {
    try {
      readXml(build(size))
    } catch (error) {
      if (!(error instanceof SamlError)) throw error
    }
  })
})

test('a self-signed certificate verifies itself and is accepted', () => {
  const { certificate } = new IdentityProvider('example', { until: new Date('2055-05-05') })
  const parsed = new X509Certificate(certificate)
  expect(parsed.verify(parsed.publicKey)).toBe(true)
  expect([parsed.subject, parsed.issuer]).toEqual(['CN=example', 'CN=example'])
  expect(parseCertificates(certificate)).toEqual({ pems: [certificate], expiresAt: '2055-05-05T00:00:00.000Z' })
})

test.each([
  [
    { email: 'A@B.example', displayname: 'Name' },
    { email: 'a@b.example', displayName: 'Name' },
  ],
  [
    { givenname: 'Given', sn: 'Last' },
    { email: 'subject@b.example', displayName: 'Given Last' },
  ],
  [{ 'urn:oid:0.9.2342.19200300.100.1.3': 'x@y.example' }, { email: 'x@y.example', displayName: undefined }],
])('reads the profile in %j', (attributes, expected) => {
  const values = new Map(Object.entries(attributes).map(([name, value]) => [name, [value]]))
  const content = {
    id: '_1',
    subject: 'subject@b.example',
    subjectFormat: undefined,
    inResponseTo: undefined,
    sessionIndex: undefined,
    expiresAt: 0,
    attributes: values,
  }
  expect(readProfile(content)).toEqual(expected)
})
