import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { browserForFile, eventually, phone } from '../support/browser.ts'
import { IdentityProvider } from '../support/identity-provider.ts'
import { inspectPage } from '../support/inspect-page.ts'
import { makeOrganization } from '../support/organization.ts'
import { addProvider } from '../support/saml.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

const browser = browserForFile()
let octavo: TestServer
/** Sign-in page of the identity provider. */
const idp = createServer((_request, reply) => reply.setHeader('content-type', 'text/html').end('The identity provider'))
beforeAll(async () => {
  octavo = await startTestServer()
  await new Promise<void>((resolve) => idp.listen(0, '127.0.0.1', resolve))
  for (const name of ['Acme', 'Acme Documentation and Developer Relations Department']) {
    const organization = await makeOrganization(octavo, name)
    const { owner, params } = organization
    await owner.api.updateOrganizationById({ params, body: { emailDomains: ['acme.example'] } })
    await addProvider(organization, new IdentityProvider('okta'), { ssoURL: toIdpUrl('/sso') })
  }
})
afterAll(async () => {
  await octavo.stop()
  idp.closeAllConnections()
  await new Promise((resolve) => idp.close(resolve))
})

const toIdpUrl = (path: string) => `http://127.0.0.1:${(idp.address() as AddressInfo).port}${path}`

/** Opens the page for SSO from the sign-in page and enters an address. */
async function enterAddress(page: Page, address: string): Promise<void> {
  await page.getByRole('link', { name: 'Sign in with SSO' }).click()
  await page.getByLabel('Email address').fill(address)
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('without scripts, a person finds the identity provider and is sent to it', async () => {
  const { page } = await browser.open(`${octavo.url}/login`, { javaScriptEnabled: false, mayAsk: () => true })
  await enterAddress(page, 'ada@acme.example')
  await page
    .getByRole('link', { name: new URL(toIdpUrl('/')).host })
    .first()
    .click()
  await eventually(() => page.url()).toContain(toIdpUrl('/sso?SAMLRequest='))
})

test.each([
  ['wide', {}],
  ['phone', phone],
])('the pages for SSO are accessible in light and dark themes (%s)', async (size, options) => {
  const { page } = await browser.open(`${octavo.url}/login`, { ...options, bypassCSP: true })
  await inspectPage(page, `sso-link-${size}`)
  await enterAddress(page, 'ada@nowhere.example')
  await page.getByRole('heading', { name: 'No identity provider' }).waitFor()
  await inspectPage(page, `sso-none-${size}`)
  await page.getByLabel('Email address').fill('ada@acme.example')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Choose your organization' }).waitFor()
  await inspectPage(page, `sso-providers-${size}`)
})
