import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { browserForFile, eventually, phone } from '../../support/browser.ts'
import { IdentityProvider } from '../../support/identity-provider.ts'
import { insertMembers } from '../../support/many-members.ts'
import { inspectPage } from '../../support/inspect-page.ts'
import { copySpace } from '../../support/many-spaces.ts'
import { makeOrganization } from '../../support/organization.ts'
import { signInWithSaml } from '../../support/saml.ts'
import { type Person, type TestServer, startTestServer } from '../../support/server.ts'

const browser = browserForFile()
/** The check of accessibility adds a script to the page. */
const inspected = { bypassCSP: true }
let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

/** Opens the audit log, and returns the texts of its events. */
async function readAuditLog(page: Page, organizationId: string): Promise<string[]> {
  await page.goto(`${octavo.url}/app/orgs/${organizationId}/audit`)
  const events = page.getByRole('list', { name: 'Audit log' }).getByRole('listitem')
  await events.first().waitFor()
  return events.allTextContents()
}

test('a member is invited, gets a role through a team and is removed, and their open browser follows', async () => {
  const make = await makeOrganization(octavo, 'Acme')
  const { owner, organization } = make
  const ann = await octavo.person('Ann')
  const space = await make.space('Handbook', { defaultLevel: null })
  const path = `/orgs/${organization.id}`
  const { page } = await openApp(browser, octavo, owner.id, `${path}/teams`, inspected)

  await page.getByRole('button', { name: 'New team' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Writers')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('heading', { name: 'Writers' }).waitFor()
  await page.getByRole('link', { name: 'Members', exact: true }).click()
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('textbox', { name: 'Email addresses' }).fill(`${ann.email}, later@example.com`)
  await page.getByLabel('Role', { exact: true }).last().selectOption({ label: 'Guest' })
  await page.getByRole('checkbox', { name: 'Writers' }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
  // There is no mail, so that the link of the one without an account is shown.
  await eventually(() => page.getByLabel('later@example.com').inputValue()).toMatch(/\/join\//)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: 'Ann' }).waitFor()
  await page.getByText('Invited, not joined yet').waitFor()
  await inspectPage(page, 'app-members')

  // The team gets access to the space, and the other browser shows it without a reload.
  const hers = await openApp(browser, octavo, ann.id, path, { expects: [/40[34]/] })
  await hers.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  const [team] = (await owner.api.listTeamsInOrganizationById({ params: make.params })).items
  await owner.api.inviteToSpace({ params: { spaceId: space.id }, body: { role: 'edit', teams: [team?.id ?? ''] } })
  await hers.page.getByRole('navigation').getByRole('link', { name: 'Handbook' }).click()
  await hers.page.getByRole('button', { name: 'Edit' }).first().waitFor()

  await page.getByRole('link', { name: 'Ann' }).click()
  await page.getByRole('heading', { name: 'Ann' }).waitFor()
  await eventually(() => page.getByRole('main').getByRole('link', { name: 'Handbook' }).textContent()).toContain(
    'Editor',
  )
  await inspectPage(page, 'app-member')
  await page.getByRole('button', { name: 'Remove from the organization' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove from the organization' }).click()
  await hers.page.getByRole('heading', { name: 'You no longer have access' }).first().waitFor()

  const log = await readAuditLog(page, organization.id)
  for (const event of ['A member was removed', 'The members of a team were changed', 'A person was invited by email'])
    expect(log.some((text) => text.includes(event))).toBe(true)
})

test('the list of who can see a space contains the reasons, and removing one removes access', async () => {
  const make = await makeOrganization(octavo, 'Acme')
  const { owner } = make
  const collection = await make.collection('Product')
  const space = await make.space('Guide', { parent: collection.id, defaultLevel: null })
  const bob = await make.member(null, 'Bob')
  const team = await make.team('Partners', [await make.member(null, 'Cleo')])
  await owner.api.inviteToCollection({
    params: { collectionId: collection.id },
    body: { role: 'read', teams: [team.id] },
  })
  const { page } = await openApp(browser, octavo, owner.id, `/spaces/${space.id}/history`, inspected)
  await page.getByRole('button', { name: 'Who can see this' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Team Partners, shared through Product').first().waitFor()
  await dialog.getByText('Administrator of the organization').waitFor()

  await dialog.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('checkbox', { name: /Bob/ }).check()
  await page.getByLabel('Role', { exact: true }).selectOption({ label: 'Editor' })
  await page.getByRole('dialog').getByRole('button', { name: 'Share', exact: true }).click()
  await dialog.getByText('Shared directly').waitFor()
  await inspectPage(page, 'app-access')
  expect((await bob.api.getSpaceById({ params: { spaceId: space.id } })).permissions.edit).toBe(true)
  await dialog.getByRole('button', { name: 'Stop sharing with Bob' }).click()
  await dialog.getByText('Shared directly').waitFor({ state: 'detached' })
  await expect(bob.api.getSpaceById({ params: { spaceId: space.id } })).rejects.toMatchObject({ status: 404 })
  expect((await readAuditLog(page, make.organization.id)).join()).toContain('A user or team lost access to content')
})

test('single sign-on is set up with metadata, works, and is required', async () => {
  const make = await makeOrganization(octavo, 'Acme')
  const { owner, organization } = make
  const identityProvider = new IdentityProvider('acme')
  const { page } = await openApp(browser, octavo, owner.id, `/orgs/${organization.id}/sso`, inspected)
  await page.getByRole('button', { name: 'Add a provider' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Acme login')
  await page.getByRole('textbox', { name: /Metadata/ }).fill(identityProvider.metadata)
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Ready').waitFor()
  const acsURL = await page.getByRole('textbox', { name: 'Reply URL (ACS)' }).inputValue()
  const [provider] = (await owner.api.listSamlProvidersInOrganizationById({ params: make.params, query: {} })).items
  if (!provider) throw new Error('There is no provider')
  expect(acsURL).toBe(provider.service.acsURL)
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByRole('textbox', { name: 'Name of the token' }).fill('Entra')
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
  await eventually(() => page.getByRole('textbox', { name: 'Token', exact: true }).inputValue()).not.toBe('')
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Never used').waitFor()
  // If the metadata cannot be read again, the reason is shown and the provider remains as it is.
  await owner.api.updateOrganizationSamlProvider({
    params: { ...make.params, samlProviderId: provider.id },
    body: { metadataURL: 'https://127.0.0.1:1/metadata', metadata: identityProvider.metadata },
  })
  await page.reload()
  await page.getByText(/^Metadata read/).waitFor()
  await page.getByRole('button', { name: 'Read again' }).click()
  await page.getByText(/The sign-in works as before.*could not be read/).waitFor()
  await page.getByText('Ready').waitFor()
  await inspectPage(page, 'app-sso')

  const email = 'dora@acme.example'
  const { page: reply } = await signInWithSaml(octavo, provider, identityProvider, {
    nameID: email,
    attributes: { email },
  })
  expect(reply.status).toBe(200)
  await page.getByRole('checkbox', { name: 'Members must sign in with an identity provider' }).click()
  await page.getByRole('button', { name: 'Require it' }).click()
  await page.getByText('You can still sign in without it').waitFor()
  await page.goto(`${octavo.url}/app/orgs/${organization.id}/members`)
  await page.getByText(email).first().waitFor()
  const log = (await readAuditLog(page, organization.id)).join()
  for (const event of ['A SAML provider was created', 'A SCIM token was created', 'A user joined the organization'])
    expect(log).toContain(event)
})

test('a space is deleted and restored from the trash, and the settings are saved', async () => {
  const make = await makeOrganization(octavo, 'Acme')
  const space = await make.space('Old notes')
  await make.owner.api.deleteSpaceById({ params: { spaceId: space.id } })
  const { id: spaceId } = await make.space('Handbook')
  const { api } = make.owner
  const idea = await api.createChangeRequest({ params: { spaceId }, body: { subject: 'Rejected idea' } })
  const ofIdea = { spaceId, changeRequestId: idea.id }
  await api.updateChangeRequestById({ params: ofIdea, body: { status: 'archived' } })
  const { page } = await openApp(browser, octavo, make.owner.id, `/orgs/${make.organization.id}/trash`, {
    ...inspected,
    expects: [/404/],
  })
  await page.getByText('Old notes').waitFor()
  await inspectPage(page, 'app-trash')
  await page.getByRole('link', { name: /Rejected idea/ }).waitFor()
  await page.getByRole('button', { name: 'Reopen' }).click()
  await page.getByText('#1 was reopened.').waitFor()
  expect((await api.getChangeRequestById({ params: ofIdea })).status).toBe('open')
  await page.getByLabel('Space').selectOption({ label: 'Handbook' })
  const history = page.getByRole('link', { name: 'Open the history' })
  expect(await history.getAttribute('href')).toBe(`/app/spaces/${spaceId}/history`)
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByText('The trash is empty').waitFor()
  const restored = page.getByRole('status').filter({ hasText: 'Old notes' })
  await restored.getByRole('button', { name: 'Open', exact: true }).click()
  await page.waitForURL(new RegExp(`/spaces/${space.id}`))

  await page.goto(`${octavo.url}/app/orgs/${make.organization.id}/settings`)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Acme Docs')
  await page.getByRole('checkbox', { name: 'At least one reviewer approved' }).check()
  await inspectPage(page, 'app-organization-settings')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await make.owner.api.getOrganizationById({ params: make.params })).toMatchObject({
    title: 'Acme Docs',
    mergeRules: { type: 'rules', rules: [{ rule: 'require_at_least_one_approved_review' }] },
  })

  await readAuditLog(page, make.organization.id)
  await inspectPage(page, 'app-audit')
  await page.getByLabel('Action').selectOption({ label: 'A deleted space was restored' })
  await eventually(() => page.getByRole('list', { name: 'Audit log' }).getByRole('listitem').count()).toBe(1)
  await page.getByRole('button', { name: /A deleted space was restored/ }).click()
  await page.getByRole('dialog').getByText(make.owner.email).waitFor()

  // The organization is deleted with its name; a member who has it open sees nothing of it any more.
  const member = await make.member('read', 'Mia')
  const { page: open } = await openApp(browser, octavo, member.id, `/spaces/${spaceId}`, { expects: [/404/] })
  await open.getByRole('treeitem').first().waitFor()
  await page.goto(`${octavo.url}/app/orgs/${make.organization.id}/settings`)
  await page.getByRole('button', { name: 'Delete the organization' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Everyone loses access immediately. This cannot be undone.').waitFor()
  const confirm = dialog.getByRole('button', { name: 'Delete the organization' })
  await dialog.getByRole('textbox').fill('Acme')
  expect(await confirm.isDisabled()).toBe(true)
  await dialog.getByRole('textbox').fill('Acme Docs')
  await confirm.click()
  await page.getByText('No organization yet').waitFor()
  await open.getByRole('heading', { name: 'You no longer have access' }).waitFor()
  expect(await open.getByRole('treeitem').count()).toBe(0)
})

test('1,000 spaces and 10,000 members are listed and found, with few rows at a time', async () => {
  const make = await makeOrganization(octavo, 'Acme')
  const space = await make.space('Space 0')
  await copySpace(octavo, space.id, 1000)
  await insertMembers(octavo.server.app.database, make.organization.id, 10_000)
  const { page } = await openApp(browser, octavo, make.owner.id, `/orgs/${make.organization.id}`, {
    ...inspected,
    expects: [/503/],
  })
  const navigation = page.getByRole('navigation', { name: 'Organization' })
  await navigation.getByRole('link', { name: 'Space 0', exact: true }).waitFor()
  const spaceRows = navigation.locator('.windowed-row')
  expect(await spaceRows.count()).toBeLessThan(100)
  await navigation.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
  await navigation.getByRole('link', { name: 'Space 999', exact: true }).waitFor()
  expect(await spaceRows.count()).toBeLessThan(100)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('space 500')
  await page.getByRole('option', { name: 'Space 500' }).waitFor()
  await page.keyboard.press('Escape')

  // If more rows cannot be read, a message says so, and the request is sent again only on demand.
  const nextPages = /\/members\?.*page=/
  let refused = 0
  await page.route(nextPages, (route) => {
    refused++
    return route.fulfill({ status: 503, json: { error: { code: 503, message: 'Later' } } })
  })
  await page.goto(`${octavo.url}/app/orgs/${make.organization.id}/members`)
  await page.getByText('10,001 members').waitFor()
  const members = page.getByRole('list', { name: 'Members' })
  await members.getByRole('link', { name: 'Member 00000', exact: true }).focus()
  await page.keyboard.press('End')
  const message = page.getByRole('alert')
  await message.waitFor()
  await page.keyboard.press('Home')
  await page.keyboard.press('End')
  await eventually(() => page.locator(':focus').textContent()).toContain('Member 00199')
  expect(refused).toBe(1)
  await page.unroute(nextPages)
  await message.getByRole('button', { name: 'Try again', exact: true }).click()
  await message.waitFor({ state: 'detached' })
  await members.getByRole('link').last().focus()
  // The key End leads to the last row that is loaded, and more are loaded there.
  const last = members.getByRole('link', { name: 'Member 09999' })
  await eventually(async () => {
    await page.keyboard.press('End')
    return last.count()
  }).toBe(1)
  expect(await members.getByRole('listitem').count()).toBeLessThan(100)
  await page.keyboard.press('End')
  await eventually(() => page.locator(':focus').textContent()).toContain('Owner')
  await page.keyboard.press('ArrowUp')
  await eventually(() => page.locator(':focus').textContent()).toContain('Member 09999')

  await page.setViewportSize(phone.viewport)
  await page.getByRole('searchbox', { name: 'Search' }).fill('member 09876')
  await page.getByRole('link', { name: 'Member 09876' }).waitFor()
  await eventually(() => members.getByRole('listitem').count()).toBe(1)
  await inspectPage(page, 'app-members-phone')
})

test('the operator sees the state of the server and runs failed jobs again', async () => {
  await octavo.server.app.database.transaction((db) =>
    db
      .insertInto('jobs')
      .values({
        id: 'failed',
        name: 'unknown.job',
        key: null,
        payload: '{}',
        state: 'dead',
        attempts: 3,
        run_at: '2026-01-01T00:00:00.000Z',
        lease: null,
        lease_until: null,
        error: 'The disk is full',
        created_at: '2026-01-01T00:00:00.000Z',
        finished_at: '2026-01-01T00:00:00.000Z',
      })
      .execute(),
  )
  const { page } = await openApp(browser, octavo, octavo.admin.id, `/orgs/${octavo.admin.organizationId}`, inspected)
  await page.getByRole('link', { name: 'Settings' }).waitFor()
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Server' }).click()
  await page.getByText('The disk is full').waitFor()
  await inspectPage(page, 'app-operator')
  await page.getByRole('button', { name: 'Run again' }).click()
  await page.getByText('The job is in the queue.').waitFor()
  const other: Person = await octavo.member('admin')
  const refused = await openApp(browser, octavo, other.id, '/operator', inspected)
  await refused.page.getByText('Only operators of the server can see this page.').waitFor()
  await inspectPage(refused.page, 'app-operator-refused')
})
