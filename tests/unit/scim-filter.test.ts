import { describe, expect, test } from 'vitest'
import { ScimError } from '../../src/scim/errors.ts'
import { matchesFilter } from '../../src/scim/match-filter.ts'
import { parseFilter, parsePatchPath } from '../../src/scim/parse-filter.ts'
import { expectLinear } from '../support/growth.ts'

const errorOf = (work: () => unknown): unknown => {
  try {
    work()
  } catch (error) {
    return error
  }
  return undefined
}

const message = (filter: string) => (errorOf(() => parseFilter(filter)) as ScimError | undefined)?.message

const compare = (attribute: string, operator: string, value: unknown) => ({
  kind: 'compare',
  path: { attribute },
  operator,
  value,
})

describe('parsing', () => {
  test('and binds stronger than or, and names are case-insensitive', () => {
    expect(parseFilter('userName EQ "a" OR active eq true and id pr')).toEqual({
      kind: 'or',
      filters: [
        compare('username', 'eq', 'a'),
        { kind: 'and', filters: [compare('active', 'eq', true), { kind: 'present', path: { attribute: 'id' } }] },
      ],
    })
  })

  test('parentheses, not, brackets and names of schemas', () => {
    expect(parseFilter('not(a eq 1)and(b eq -2.5e1 or c eq null)')).toEqual({
      kind: 'and',
      filters: [
        { kind: 'not', filter: compare('a', 'eq', 1) },
        { kind: 'or', filters: [compare('b', 'eq', -25), compare('c', 'eq', null)] },
      ],
    })
    expect(parseFilter('emails[type eq "work" and value co "@"]')).toEqual({
      kind: 'element',
      path: { attribute: 'emails' },
      filter: { kind: 'and', filters: [compare('type', 'eq', 'work'), compare('value', 'co', '@')] },
    })
    expect(parseFilter('urn:ietf:params:scim:schemas:core:2.0:User:name.givenName sw "J"')).toMatchObject({
      path: { attribute: 'name', subAttribute: 'givenname' },
    })
    expect(parseFilter('urn:ietf:params:scim:schemas:extension:octavo:2.0:User:role eq "edit"')).toMatchObject({
      path: { attribute: 'urn:ietf:params:scim:schemas:extension:octavo:2.0:user', subAttribute: 'role' },
    })
  })

  test('strings contain escapes, quotes and operators', () => {
    expect(parseFilter(String.raw`userName eq "a\"b\\ \u00e9 and (x] or "`)).toEqual(
      compare('username', 'eq', 'a"b\\ é and (x] or '),
    )
  })

  test('paths of operations', () => {
    expect(parsePatchPath('name.givenName')).toEqual({ attribute: 'name', subAttribute: 'givenname' })
    expect(parsePatchPath('emails[type eq "work"].value')).toEqual({
      attribute: 'emails',
      filter: compare('type', 'eq', 'work'),
      subAttribute: 'value',
    })
    for (const path of ['', ' ', 'a b', 'a[', 'a[b]', 'a[b eq 1].', 'a[b eq 1]c', '[b eq 1]', '"a"'])
      expect(
        errorOf(() => parsePatchPath(path)),
        path,
      ).toMatchObject({ scimType: 'invalidPath' })
  })

  test('errors name the position', () => {
    expect(message('userName eq')).toBe('Expected a value at position 12')
    expect(message('userName eq "a" or')).toBe('Expected a name at position 19')
    expect(message('(userName eq "a"')).toBe('Expected `)` at position 17')
    expect(message('userName like "a"')).toBe('like is not an operator')
    expect(message('userName eq "a" userName')).toBe('Expected the end at position 17')
  })

  test('takes time in proportion to the length', async () => {
    const texts = [
      (size: number) => `a eq "${String.raw`\"`.repeat(size)}"`,
      (size: number) => `a eq "${'\\'.repeat(size * 2)}`,
      (size: number) => `urn:${'a:'.repeat(size)} eq 1`,
      (size: number) => ' '.repeat(size * 2),
    ]
    for (const make of texts)
      await expectLinear(400, (size) => {
        for (let round = 0; round < 100; round++) errorOf(() => parseFilter(make(size)))
      })
  })
})

describe('matching', () => {
  const user = {
    id: 'Ab1',
    userName: 'Jane@Example.com',
    active: true,
    name: { givenName: 'Jane' },
    emails: [
      { value: 'jane@example.com', type: 'work', primary: true },
      { value: 'j@home.example', type: 'home' },
    ],
    meta: { created: '2026-01-02T03:04:05.000Z' },
    externalId: '',
  }
  test.each([
    ['userName eq "jane@example.COM"', true],
    ['userName ne "jane@example.com"', false],
    ['userName co "@EX"', true],
    ['userName sw "jane" and userName ew ".com"', true],
    ['id eq "Ab1"', true],
    ['id eq "ab1"', false],
    ['name.givenName eq "jane"', true],
    ['name.familyName pr', false],
    ['not (name.familyName pr)', true],
    ['externalId pr', false],
    ['externalId eq null', true],
    ['userName ne null', true],
    ['nickName eq "x"', false],
    ['nickName ne "x"', true],
    ['active eq true', true],
    ['active eq "TRUE"', true],
    ['active ne true', false],
    ['emails pr', true],
    ['emails eq "j@home.example"', true],
    ['emails.type eq "home"', true],
    ['emails[type eq "home" and value co "example.com"]', false],
    ['emails[type eq "work" and primary eq true]', true],
    ['emails[type eq "work"].value eq "jane@example.com"', true],
    ['emails[type eq "home"].value eq "jane@example.com"', false],
    ['meta.created gt "2026-01-02T03:04:04Z"', true],
    ['meta.created lt "2026-01-02T04:04:05+01:00"', false],
    ['meta.created le "2026-01-02T04:04:05+01:00"', true],
    ['meta.created ge "2027-01-01T00:00:00Z"', false],
    ['userName gt "j" and userName lt "k"', true],
    ['userName eq 5', false],
  ])('%s is %s', (filter, expected) => {
    expect(matchesFilter(parseFilter(filter), user)).toBe(expected)
  })

  test('an order of booleans or of null is an error', () => {
    for (const filter of ['active gt false', 'active co "r"', 'userName gt null'])
      expect(
        errorOf(() => matchesFilter(parseFilter(filter), user)),
        filter,
      ).toMatchObject({
        scimType: 'invalidFilter',
      })
  })
})
