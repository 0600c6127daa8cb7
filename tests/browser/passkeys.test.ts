import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { computeTotpCode } from '../../src/domain/accounts/totp.ts'
import { browserForFile, eventually, phone, takeScreenshot } from '../support/browser.ts'
import { inspectPage } from '../support/inspect-page.ts'
import { type TestServer, startTestServer } from '../support/server.ts'
import { createSetupPath, goodPassword, signUp } from '../support/sign-in.ts'

const browser = browserForFile()
let octavo: TestServer
beforeAll(async () => void (octavo = await startTestServer({ HOST: 'localhost' })))
afterAll(() => octavo.stop())

/** Adds an authenticator to a browser that answers without a person. */
async function addAuthenticator(context: BrowserContext, page: Page) {
  const session = await context.newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    /** Sets whether requests are answered at once. */
    answer: (enabled: boolean) => session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  }
}

/** Waits until the browser is signed in, which opens the app, and opens the account page. */
async function openAccount(page: Page): Promise<void> {
  await eventually(() => page.url()).toContain(`${octavo.url}/app`)
  await page.goto(`${octavo.url}/account`)
}

test('a person creates a passkey with the set-up link, signs in with it, and adds no second one on the same device', async () => {
  const person = await octavo.person('Grace')
  const path = await createSetupPath(octavo, person.id)
  const { page, context } = await browser.open(`${octavo.url}${path}`)
  await addAuthenticator(context, page)
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await openAccount(page)
  await page.getByText('Grace', { exact: true }).waitFor()

  await page.getByLabel('Name of the new passkey').fill('Laptop')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await eventually(() => page.getByRole('alert').textContent()).toContain('already has a passkey')

  // Without passkeys in the user name field, which the authenticator would answer at once.
  await page.addInitScript('delete PublicKeyCredential.isConditionalMediationAvailable')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await openAccount(page)
  expect((await person.api.listSessions()).items[0]).toMatchObject({ method: 'passkey', secondFactor: true })
})

test('the browser offers passkeys in the user name field', async () => {
  const person = await octavo.person()
  const path = await createSetupPath(octavo, person.id)
  const { page, context } = await browser.open(`${octavo.url}${path}`)
  await addAuthenticator(context, page)
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await openAccount(page)
  await page.getByRole('button', { name: 'Sign out' }).click()
  // The authenticator chooses the offered passkey without a click.
  await openAccount(page)
  expect((await person.api.listSessions()).items).toHaveLength(1)
})

test('a passkey is the second factor after a password', async () => {
  const person = await octavo.person()
  const path = await createSetupPath(octavo, person.id)
  const { page, context } = await browser.open(`${octavo.url}${path}`)
  const authenticator = await addAuthenticator(context, page)
  await page.getByLabel('New password').fill(goodPassword)
  await page.getByRole('button', { name: 'Save password and sign in' }).click()
  await openAccount(page)
  await page.getByLabel('Name of the new passkey').fill('Laptop')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByText('The passkey was added.').waitFor()
  await authenticator.answer(false)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Email address').fill(person.email)
  await page.getByLabel('Password').fill(goodPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Second factor' }).waitFor()
  await authenticator.answer(true)
  await page.getByRole('button', { name: 'Continue with a passkey' }).click()
  await openAccount(page)
  await page.getByText('Laptop').waitFor()
})

test('without scripts, forms for passkeys are hidden and all others work', async () => {
  const person = await octavo.person()
  await signUp(octavo, person.id)
  const { page } = await browser.open(`${octavo.url}/login?next=/account`, { javaScriptEnabled: false })
  await page.getByLabel('Email address').waitFor()
  expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(false)
  await page.getByLabel('Email address').fill(person.email)
  await page.getByLabel('Password').fill(goodPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Adding a passkey needs JavaScript.').waitFor()
})

const wide = { width: 1280, height: 1500 }
const narrow = { ...phone.viewport, height: 1700 }

test('all pages are accessible in light and dark themes, and fit phones', async () => {
  const person = await octavo.person('Margaret Hamilton')
  const path = await createSetupPath(octavo, person.id)
  const { page, context } = await browser.open(`${octavo.url}${path}`, { viewport: wide, bypassCSP: true })
  const inspect = async (name: string) => {
    await inspectPage(page, name)
    await page.setViewportSize(narrow)
    expect([name, await page.evaluate('document.documentElement.scrollWidth - innerWidth')]).toEqual([name, 0])
    await takeScreenshot(page, `${name}-phone`)
    await page.setViewportSize(wide)
  }
  const authenticator = await addAuthenticator(context, page)
  await inspect('set-up')
  await page.getByLabel('New password').fill(goodPassword)
  await page.getByRole('button', { name: 'Save password and sign in' }).click()
  await openAccount(page)
  await page.getByLabel('Name of the new passkey').fill('Laptop')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByText('The passkey was added.').waitFor()
  await page.getByRole('link', { name: 'Set up an authenticator app' }).click()
  await inspect('authenticator-app')
  const secret = ((await page.locator('.secret').textContent()) ?? '').replaceAll(' ', '')
  const nextCode = () => {
    octavo.clock.advance(30_000)
    return computeTotpCode(secret, octavo.clock.now())
  }
  await page.getByLabel('Code from your authenticator app').fill(nextCode())
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
  await inspect('recovery-codes')
  await page.getByRole('link', { name: 'I have stored them' }).click()
  await page.getByText('You have 10 unused recovery codes.').waitFor()
  await inspect('account')
  await authenticator.answer(false)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Email address').waitFor()
  await inspect('sign-in')
  await page.getByLabel('Email address').fill(person.email)
  await page.getByLabel('Password').fill(goodPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Use a recovery code').click()
  await inspect('second-factor')
  await page.getByLabel('Code from your authenticator app').fill(nextCode())
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await openAccount(page)
})
