import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { browserForFile, eventually, phone } from '../../support/browser.ts'
import { editLive, insertPage } from '../../support/content.ts'
import { inspectPage } from '../../support/inspect-page.ts'
import { authorizeApp } from '../../support/oauth.ts'
import { makeOrganization } from '../../support/organization.ts'
import { type TestServer, startTestServer, waitUntil } from '../../support/server.ts'

const browser = browserForFile()
let octavo: TestServer
beforeAll(async () => void (octavo = await startTestServer()))
afterAll(() => octavo.stop())

test('the bell moves without a reload, and leads to the comment; what the user may no longer see disappears', async () => {
  const acme = await makeOrganization(octavo)
  const bob = await acme.member('comment', 'Bob')
  const space = await acme.space('Manual')
  const [pageId = ''] = await editLive(acme.owner, space.id, insertPage('# Install\n\nRun it as root.'))
  const { page } = await openApp(browser, octavo, bob.id, `/orgs/${acme.organization.id}`, { bypassCSP: true })
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  const params = { spaceId: space.id }
  const comment = await acme.owner.api.postCommentInSpace({
    params,
    body: { page: pageId, body: { markdown: `Is this needed, [Bob](/users/${bob.id} "mention")?` } },
  })
  await page.getByRole('button', { name: '1 unread notification' }).click()
  const entry = page.getByRole('dialog', { name: 'Notifications' }).getByRole('link', { name: /mentioned you/ })
  await entry.waitFor()
  expect(await entry.textContent()).toContain('Is this needed, @Bob?')
  await inspectPage(page, 'app-bell')
  await entry.click()
  await eventually(() => page.url()).toBe(`${octavo.url}/app/spaces/${space.id}/pages/${pageId}?comment=${comment.id}`)
  await page.getByRole('complementary').getByText('Is this needed').waitFor()
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()

  await page.goto(`${octavo.url}/app/notifications`)
  const row = page.getByRole('main').getByRole('link', { name: /mentioned you/ })
  await row.waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Mark as unread' }).click()
  await page.getByRole('button', { name: '1 unread notification' }).waitFor()
  await acme.owner.api.updateSpaceById({ params, body: { defaultLevel: null } })
  await page.reload()
  await page.getByRole('heading', { name: 'No notifications' }).waitFor()
  expect(await row.count()).toBe(0)
})

test('the author of a change request is notified of the review, and can stop following it', async () => {
  const acme = await makeOrganization(octavo)
  const ann = await acme.member('edit', 'Ann')
  const bob = await acme.member('review', 'Bob')
  const space = await acme.space('Manual')
  const { id: changeRequestId } = await ann.api.createChangeRequest({
    params: { spaceId: space.id },
    body: { subject: 'Better words' },
  })
  const params = { spaceId: space.id, changeRequestId }
  await ann.api.requestReviewersForChangeRequest({ params, body: { users: [bob.id] } })
  await waitUntil(async () => (await bob.api.countNotifications()).unread === 1, 'the reviewer is notified')
  await bob.api.submitChangeRequestReview({ params, body: { status: 'approved' } })
  const { page } = await openApp(browser, octavo, ann.id, '/notifications/unread', { bypassCSP: true, ...phone })
  const row = page.getByRole('main').getByRole('link', { name: /Bob approved #1 Better words/ })
  await row.waitFor()
  await inspectPage(page, 'app-notifications')
  await row.click()
  await page.getByRole('heading', { name: 'Better words' }).waitFor()
  await page.getByRole('main').getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Unfollow' }).click()
  await eventually(async () => {
    const query = { changeRequest: changeRequestId }
    return (await ann.api.getFollow({ params: { spaceId: space.id }, query })).following
  }).toBe(false)
  expect((await ann.api.countNotifications()).unread).toBe(0)
})

test('an API token is created, shown once and revoked, and an app loses its access', async () => {
  const person = await octavo.person('Grace')
  await authorizeApp(octavo, person.id, 'Chat bot')
  const { page } = await openApp(browser, octavo, person.id, '/account/tokens', { bypassCSP: true })
  await page.getByRole('button', { name: 'New token' }).click()
  const dialog = page.getByRole('dialog', { name: 'New token' })
  await dialog.getByLabel('Label').fill('Laptop')
  await dialog.getByLabel('Expires').selectOption('After 30 days')
  await dialog.getByLabel('Permissions').selectOption('Only some permissions')
  await dialog.getByLabel('user:read').check()
  await inspectPage(page, 'app-new-token')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const token = await dialog.getByLabel('Token', { exact: true }).inputValue()
  const readUser = async () => (await octavo.fetch('/v1/user', { token })).status
  expect(await readUser()).toBe(200)
  await dialog.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Laptop' })
  expect(await row.textContent()).toContain('user:read')
  await row.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await row.waitFor({ state: 'detached' })
  expect(await readUser()).toBe(401)

  await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Apps' }).click()
  await page.getByRole('button', { name: 'Withdraw access' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw access' }).click()
  await page.getByRole('heading', { name: 'No apps' }).waitFor()
})

test('profile, sessions and settings of notifications are changed, and security is a page with the same navigation', async () => {
  const person = await octavo.person('Grace')
  const { page } = await openApp(browser, octavo, person.id, '/account', { bypassCSP: true })
  await page.getByLabel('Name', { exact: true }).fill('Grace Hopper')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved').waitFor()
  expect((await person.api.getAuthenticatedUser()).displayName).toBe('Grace Hopper')
  await inspectPage(page, 'app-account')
  const open = (name: string) => page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name }).click()
  await open('Notifications')
  await page.getByRole('checkbox', { name: 'Mentions of you: In the app' }).uncheck()
  await eventually(async () => (await person.api.getNotificationSettings()).kinds.mention.inApp).toBe(false)
  await inspectPage(page, 'app-notification-settings')
  await openApp(browser, octavo, person.id, '/account')
  await open('Sessions')
  await page.getByRole('button', { name: 'End session' }).click()
  await page.getByRole('button', { name: 'End session' }).waitFor({ state: 'detached' })
  expect((await person.api.listSessions()).items).toHaveLength(1)
  await open('Sign-in and security')
  await page.getByRole('heading', { level: 1, name: 'Sign-in and security' }).waitFor()
  await open('Profile')
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
})
