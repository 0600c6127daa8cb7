import { describe, expect, test } from 'vitest'
import { applyPatch } from '../../src/scim/apply-patch.ts'
import { planGroupChanges } from '../../src/scim/group-changes.ts'
import { parsePatchBody } from '../../src/scim/patch-body.ts'
import { octavoUserSchemaId, userBodyAttributes } from '../../src/scim/schemas.ts'
import { parseUserValues, toAccountName } from '../../src/scim/user-values.ts'

const patch = (resource: Record<string, unknown>, ...Operations: object[]) =>
  applyPatch(userBodyAttributes, resource, parsePatchBody({ Operations }))

const emailOf = (emails: object[], userName = 'u') => parseUserValues({ userName, emails }).email

const nameOf = (attributes: object) => toAccountName(parseUserValues({ userName: 'u@example.com', ...attributes }))

const plan = (...Operations: object[]) => {
  const { attributes, members } = planGroupChanges(parsePatchBody({ Operations }))
  return { ...attributes, all: members.replacesAll, added: [...members.added], removed: [...members.removed] }
}
const member = (op: string, ...ids: string[]) => ({ op, path: 'members', value: ids.map((value) => ({ value })) })

describe('users', () => {
  const work = { value: 'w@example.com', type: 'work', primary: true }

  test.each([
    ['replaces a simple attribute', { op: 'Replace', path: 'DISPLAYNAME', value: 'New' }, { displayName: 'New' }],
    ['removes a simple attribute', { op: 'remove', path: 'displayName' }, { displayName: undefined }],
    [
      'removes what is replaced by null',
      { op: 'replace', path: 'displayName', value: null },
      { displayName: undefined },
    ],
    ['sets a part', { op: 'add', path: 'name.familyName', value: 'F' }, { name: { givenName: 'G', familyName: 'F' } }],
    ['removes a part', { op: 'remove', path: 'name.givenName' }, { name: { givenName: undefined } }],
    [
      'keeps the parts that a complex value does not contain',
      { op: 'replace', path: 'name', value: { FAMILYNAME: 'F', unknown: 1 } },
      { name: { givenName: 'G', familyName: 'F' } },
    ],
    ['replaces a list', { op: 'replace', path: 'emails', value: [{ value: 'x' }] }, { emails: [{ value: 'x' }] }],
    ['accepts one element for a list', { op: 'replace', path: 'emails', value: 'x' }, { emails: [{ value: 'x' }] }],
    ['adds an element', { op: 'add', path: 'emails', value: [{ value: 'x' }] }, { emails: [work, { value: 'x' }] }],
    [
      'does not add an element twice',
      { op: 'add', path: 'emails', value: [{ value: 'w@example.com', type: 'home' }] },
      { emails: [{ value: 'w@example.com', type: 'home' }] },
    ],
    [
      'changes the elements that match a filter',
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'x' },
      { emails: [{ ...work, value: 'x' }] },
    ],
    [
      'merges a value into the elements that match',
      { op: 'replace', path: 'emails[type eq "work"]', value: { value: 'x' } },
      { emails: [{ ...work, value: 'x' }] },
    ],
    [
      'adds an element that a filter describes',
      { op: 'Replace', path: 'emails[type eq "home" and primary eq false].value', value: 'x' },
      { emails: [work, { type: 'home', primary: false, value: 'x' }] },
    ],
    ['removes the elements that match', { op: 'remove', path: 'emails[primary eq true]' }, { emails: [] }],
    ['removes the given elements', { op: 'remove', path: 'emails', value: [work] }, { emails: [] }],
    ['removes a list', { op: 'remove', path: 'emails' }, { emails: [] }],
    [
      'sets an attribute of the extension',
      { op: 'add', path: `${octavoUserSchemaId}:role`, value: 'edit' },
      { [octavoUserSchemaId]: { role: 'edit' } },
    ],
    [
      'sets attributes without a path, also nested and dotted ones',
      {
        op: 'replace',
        value: { active: false, 'name.familyName': 'F', [octavoUserSchemaId]: { role: 'edit' }, id: 'x', title: 'x' },
      },
      { active: false, name: { givenName: 'G', familyName: 'F' }, [octavoUserSchemaId]: { role: 'edit' } },
    ],
    ['ignores unknown and read-only attributes', { op: 'replace', path: 'meta.location', value: 'x' }, {}],
  ])('%s', (_, operation, changed) => {
    const resource = { userName: 'u', displayName: 'Old', name: { givenName: 'G' }, emails: [work] }
    const before = structuredClone(resource)
    expect(patch(resource, operation)).toEqual({ ...before, ...changed })
    expect(resource).toEqual(before)
  })

  test('the primary address, the one for work, the first one, or the user name is used', () => {
    const [home, office] = [
      { value: 'H@example.com', type: 'home' },
      { value: 'w@example.com', type: 'work' },
    ]
    expect(emailOf([home, office])).toBe('w@example.com')
    expect(emailOf([{ ...home, primary: 'True' }, office])).toBe('h@example.com')
    expect(emailOf([home])).toBe('h@example.com')
    expect(emailOf([], 'Me@Example.com')).toBe('me@example.com')
    expect(() => emailOf([])).toThrow('emails: an email address is required')
  })

  test('the name of an account is made from what is there, and is not too long', () => {
    const name = { formatted: 'Full Name', givenName: 'Given', familyName: 'Family' }
    expect(nameOf({ displayName: 'Shown', name })).toBe('Shown')
    expect(nameOf({ name })).toBe('Full Name')
    expect(nameOf({ name: { ...name, formatted: ' ' } })).toBe('Given Family')
    expect(nameOf({})).toBe('u@example.com')
    expect(nameOf({ displayName: `${'x'.repeat(63)}😀😀` })).toBe(`${'x'.repeat(63)}\ufffd`)
  })
})

describe('groups', () => {
  test('operations are applied in their order', () => {
    expect(plan(member('Add', 'a', 'b'), member('Remove', 'a'))).toEqual({ all: false, added: ['b'], removed: ['a'] })
    expect(plan(member('remove', 'a'), member('add', 'a'))).toEqual({ all: false, added: ['a'], removed: [] })
    expect(plan(member('add', 'a'), member('replace', 'b'), member('add', 'c'))).toEqual({
      all: true,
      added: ['b', 'c'],
      removed: [],
    })
    expect(plan(member('add', 'a'), { op: 'remove', path: 'members' })).toEqual({ all: true, added: [], removed: [] })
    expect(plan({ op: 'remove', path: 'members[value eq "a" or value eq "b"]' })).toMatchObject({ removed: ['a', 'b'] })
    expect(plan({ op: 'replace', value: { id: 'x', displayName: 'New', members: ['a'] } })).toEqual({
      displayName: 'New',
      all: true,
      added: ['a'],
      removed: [],
    })
    expect(plan({ op: 'remove', path: 'externalId' })).toMatchObject({ externalId: null })
  })

  test('members are selected by their id only', () => {
    for (const operation of [
      { op: 'remove', path: 'members[display eq "a"]' },
      { op: 'remove', path: 'members[not (value eq "a")]' },
      { op: 'replace', path: 'members[value eq "a"].value', value: 'b' },
      { op: 'add', path: 'members.value', value: 'b' },
      member('add', ''),
      { op: 'add', path: 'members', value: [{ display: 'a' }] },
      { op: 'add', path: 'members', value: [7] },
    ])
      expect(() => plan(operation), JSON.stringify(operation)).toThrow(/^(path|members): /)
  })
})
