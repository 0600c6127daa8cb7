import type { AssertionContent } from './assertion.ts'
import { SamlError } from './error.ts'

/** Account data of a person, as an identity provider sends it. */
export interface SamlProfile {
  email: string
  /** Name to show; undefined if the identity provider sends none. */
  displayName: string | undefined
}

const claims = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'

/** Names of attributes in lower case, as Okta, Entra ID, Google, Keycloak and LDAP-based providers send them. */
const attributeNames = {
  email: [
    'email',
    'mail',
    'emailaddress',
    `${claims}/emailaddress`,
    'urn:oid:0.9.2342.19200300.100.1.3',
    'urn:oid:1.2.840.113549.1.9.1',
    'user.email',
  ],
  displayName: [
    'displayname',
    'http://schemas.microsoft.com/identity/claims/displayname',
    'urn:oid:2.16.840.1.113730.3.1.241',
    'fullname',
    'cn',
    'urn:oid:2.5.4.3',
  ],
  firstName: ['firstname', 'first_name', 'givenname', `${claims}/givenname`, 'urn:oid:2.5.4.42'],
  lastName: ['lastname', 'last_name', 'surname', 'sn', `${claims}/surname`, 'urn:oid:2.5.4.4'],
}

const maxEmailLength = 254
const maxNameLength = 64

/** Returns the email address and name in an assertion; throws if there is no single valid address. */
export function readProfile(content: AssertionContent): SamlProfile {
  const sent = findValues(content, attributeNames.email)
  if (new Set(sent).size > 1) throw new SamlError('The identity provider sent several email addresses')
  const email = (sent[0] ?? content.subject).toLowerCase()
  if (email.length > maxEmailLength || !/^[^\s@<>()",;:\\[\]]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(email))
    throw new SamlError('The identity provider did not send an email address. Add an attribute named "email"')
  const name =
    findValues(content, attributeNames.displayName)[0] ??
    [...findValues(content, attributeNames.firstName).slice(0, 1), ...findValues(content, attributeNames.lastName)]
      .slice(0, 2)
      .join(' ')
  // oxlint-disable-next-line no-control-regex -- names are shown in plain text, for example in emails
  const displayName = name.replace(/[\u0000-\u001F\u007F]+/g, ' ').trim()
  return { email, displayName: displayName === '' ? undefined : displayName.slice(0, maxNameLength) }
}

function findValues({ attributes }: AssertionContent, names: readonly string[]): string[] {
  for (const name of names) {
    const values = (attributes.get(name) ?? []).filter((value) => value !== '')
    if (values.length > 0) return values
  }
  return []
}
