import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/server/config.ts'

const readFrom = (value: string) => readConfig({ OCTAVO_MAIL_FOLDER: 'x', OCTAVO_MAIL_FROM: value }).mail?.from

const readProviders = (...providers: object[]) => readConfig({ OCTAVO_OIDC: JSON.stringify(providers) }).oidcProviders

describe('Mail settings', () => {
  const from = { OCTAVO_MAIL_FROM: 'docs@example.com' }
  const readSmtp = (url: string) => readConfig({ ...from, OCTAVO_SMTP_URL: url }).mail

  test('of an SMTP server have default ports and decoded credentials', () => {
    expect(readSmtp('smtps://docs%40example.com:p%2Fss%3A@mail.example.com')).toEqual({
      from: { name: '', address: 'docs@example.com' },
      smtp: {
        host: 'mail.example.com',
        port: 465,
        isSecure: true,
        credentials: { user: 'docs@example.com', password: 'p/ss:' },
      },
    })
    expect(readSmtp('smtp://[::1]')).toMatchObject({
      smtp: { host: '::1', port: 587, isSecure: false, credentials: undefined },
    })
    expect(readSmtp('smtp://relay:2525/')).toMatchObject({ smtp: { host: 'relay', port: 2525 } })
  })

  test('have a sender with or without a name', () => {
    expect(readFrom('Docs of Zoë <docs@example.com>')).toEqual({ name: 'Docs of Zoë', address: 'docs@example.com' })
    expect(readFrom('"Docs" <docs@example.com>')).toEqual({ name: 'Docs', address: 'docs@example.com' })
    expect(readConfig({ OCTAVO_MAIL_FOLDER: 'mail' }).mail).toEqual({
      from: { name: 'Octavo', address: 'octavo@localhost' },
      folder: resolve('mail'),
    })
    for (const value of ['Docs', 'a@example.com, b@example.com', 'Docs\n<docs@example.com>', '<docs@example.com> x'])
      expect(() => readFrom(value), value).toThrow('OCTAVO_MAIL_FROM must be an email address')
  })

  test('are refused if they are not complete', () => {
    expect(() => readConfig({ OCTAVO_SMTP_URL: 'smtp://relay' })).toThrow('OCTAVO_MAIL_FROM must be set')
    for (const url of [
      'mail.example.com',
      'http://relay',
      'smtp://',
      'smtp://relay/x',
      'smtp://relay?x',
      'smtp://%zz@a',
    ])
      expect(() => readSmtp(url), url).toThrow('OCTAVO_SMTP_URL must be a URL such as')
  })
})

describe('OpenID Connect providers', () => {
  const provider = {
    id: 'acme',
    label: 'Acme',
    issuer: 'https://id.example.com',
    clientId: 'a',
    clientSecret: 'secret',
  }
  const single = {
    OCTAVO_OIDC_ISSUER: 'https://one.example.com',
    OCTAVO_OIDC_CLIENT_ID: 'b',
    OCTAVO_OIDC_CLIENT_SECRET: 'secret',
  }
  test('are a list, a single one, or both', () => {
    const defaults = { allowSignUp: false, domains: undefined, trustEmail: false }
    expect(readProviders(provider, { ...provider, id: 'b', domains: ['Example.com'], trustEmail: true })).toEqual([
      { ...provider, ...defaults },
      { ...provider, id: 'b', allowSignUp: false, domains: ['example.com'], trustEmail: true },
    ])
    const both = readConfig({ ...single, OCTAVO_OIDC_LABEL: 'One', OCTAVO_OIDC: JSON.stringify([provider]) })
    expect(both.oidcProviders.map(({ id, label }) => [id, label])).toEqual([
      ['sso', 'One'],
      ['acme', 'Acme'],
    ])
  })

  test('need HTTPS, except on this machine', () => {
    expect(readProviders({ ...provider, issuer: 'http://127.0.0.1:8080/realms/x' })).toHaveLength(1)
    for (const issuer of [
      'http://id.example.com',
      'ftp://x',
      'id.example.com',
      'https://x/?a',
      'https://x/.well-known/y',
    ])
      expect(() => readProviders({ ...provider, issuer }), issuer).toThrow('0.issuer must')
  })

  test('are refused with a reason that contains no secret', () => {
    const refused: [object[], string][] = [
      [[provider, provider], 'two providers with the same id'],
      [[{ ...provider, id: 'A/B' }], '0.id must consist of'],
      [[{ ...provider, clientSecret: '' }], '0.clientSecret'],
      [[{ ...provider, unknown: 'secret' }], 'Unrecognized key'],
      [[{ ...provider, trustEmail: true }], '0.trustEmail needs domains'],
    ]
    for (const [providers, reason] of refused) {
      expect(() => readProviders(...providers)).toThrow(reason)
      expect(() => readProviders(...providers)).not.toThrow(/"?secret"?$/)
    }
    expect(() => readConfig({ OCTAVO_OIDC: '{' })).toThrow('OCTAVO_OIDC must be a JSON array of providers')
    for (const missing of Object.keys(single))
      expect(() => readConfig({ ...single, [missing]: '' })).toThrow(`${missing} must be set`)
  })
})
