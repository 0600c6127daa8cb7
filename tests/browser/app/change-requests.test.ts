import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { browserForFile, eventually, phone } from '../../support/browser.ts'
import { editLive, emptySpace, insertPage, propose, readLive, updatePage, writePage } from '../../support/content.ts'
import { inspectPage } from '../../support/inspect-page.ts'
import { type Person, type TestServer, startTestServer } from '../../support/server.ts'

const browser = browserForFile()
let octavo: TestServer
let reviewer: Person
beforeAll(async () => {
  octavo = await startTestServer()
  reviewer = await octavo.member('review', 'Rita Reviewer')
})
afterAll(() => octavo.stop())

const guide = (port: string, end = '') =>
  `# Guide\n\nStart here.\n\nUse port ${port}.\n\nFirst.\n\nSecond.\n\nThird.\n\nFourth.\n\nThe end${end}.`

const waiting = (title: string, time: string) => `# ${title}\n\nWait a ${time}.`

/** Opens a screen of a change request as a user. */
const openAs = async (user: Person, path: string, options: Parameters<typeof openApp>[4] = {}): Promise<Page> =>
  (await openApp(browser, octavo, user.id, path, options)).page

const markedWords = (scope: Locator) => scope.locator('ins, del').allTextContents()

test('a change is requested, compared inline and side by side, commented, changed, approved and merged', async () => {
  const { admin } = octavo
  const spaceId = await emptySpace(admin, 'Handbook')
  const [pageId = '', movedId = ''] = await editLive(
    admin,
    spaceId,
    insertPage(guide('80')),
    insertPage('# Other\n\nText.'),
  )
  await admin.api.updateSpaceById({
    params: { spaceId },
    body: { mergeRules: { type: 'rules', rules: [{ rule: 'require_at_least_one_approved_review' }] } },
  })
  const proposal = await propose(admin, spaceId, 'Change the port')
  await proposal.edit(writePage(pageId, guide('8080')), updatePage(movedId, { title: 'Another', into: pageId }))

  // The author describes it and asks for a review; the address with the ID becomes that with the number.
  const author = await openAs(admin, `/spaces/${spaceId}/change-requests/${proposal.id}`, { bypassCSP: true })
  await eventually(() => author.url()).toMatch(/change-requests\/1$/)
  await author.getByRole('button', { name: 'Add a description' }).click()
  await author.getByLabel('Description').fill('Port 80 needs **root**.')
  await author.getByRole('button', { name: 'Save' }).click()
  await author.locator('.cr-description strong', { hasText: 'root' }).waitFor()
  await author.getByRole('button', { name: 'Change the subject' }).click()
  await author.getByRole('textbox', { name: 'Subject' }).fill('Use another port')
  await author.keyboard.press('Enter')
  await author.getByRole('heading', { level: 1, name: '#1 Use another port' }).waitFor()
  expect(await author.getByRole('button', { name: 'Merge' }).isDisabled()).toBe(true)
  await author.getByText('At least one reviewer must approve it').first().waitFor()
  await author.getByRole('button', { name: 'Request review' }).click()
  await author.getByRole('checkbox', { name: 'Rita Reviewer' }).check()
  await author.getByRole('dialog').getByRole('button', { name: 'Request review' }).click()
  await author.getByText('Asked').waitFor()
  await inspectPage(author, 'change-request-overview')

  // The reviewer finds it in the list and reads the changes with the keyboard.
  const page = await openAs(reviewer, `/spaces/${spaceId}/change-requests?show=toReview`, { bypassCSP: true })
  await page.getByRole('link', { name: /Use another port/ }).click()
  await page.getByRole('link', { name: /^Changes/ }).click()
  const list = page.getByRole('list', { name: 'Changed pages' })
  await list.getByRole('button', { name: /Guide/ }).click()
  await eventually(() => markedWords(page.locator('.cr-comparison'))).toEqual(['80', '8080'])
  await page.getByRole('button', { name: '4 unchanged blocks' }).click()
  await page.getByText('Second.', { exact: true }).waitFor()
  await inspectPage(page, 'change-request-changes')
  await page.keyboard.press('v')
  await eventually(() => page.locator('.cr-cell-before ins:visible, .cr-cell-after del:visible').count()).toBe(0)
  expect(await page.locator('.cr-cell-before del:visible').textContent()).toBe('80')
  expect(await page.locator('.cr-cell-after ins:visible').textContent()).toBe('8080')
  await page.keyboard.press('x')
  await page.getByText('1 of 2 reviewed').waitFor()
  await page.reload()
  await page.getByText('1 of 2 reviewed').waitFor()
  await page.locator('.is-double').waitFor()
  await inspectPage(page, 'change-request-side-by-side')
  await page.keyboard.press('c')
  await page.getByRole('textbox', { name: 'Comment on this block' }).fill('Why this port?')
  await page.keyboard.press('Control+Enter')
  await page.locator('.cr-block-comments').getByText('Why this port?').waitFor()
  await list.getByRole('button', { name: /Another/ }).click()
  await page.getByText('Moved from the top level to Guide').waitFor()
  await page.getByRole('row', { name: 'Title Other Another' }).waitFor()
  await page.getByRole('button', { name: 'Review', exact: true }).click()
  await page.getByLabel('What should the author know?').fill('Explain the port.')
  await page.getByRole('button', { name: 'Request changes' }).click()
  await page.getByText('Your review is sent').waitFor()

  // The author changes the block, which the comment follows, and another one; the reviewer reads only that, and approves.
  await proposal.edit(writePage(pageId, guide('8081', ', really')))
  await page.getByLabel('Changed since my last review').check()
  await eventually(() => markedWords(page.locator('.cr-comparison .cr-cell-after'))).toEqual([
    '8080',
    '8081',
    ', really',
  ])
  await page.locator('.cr-row', { hasText: '8081' }).getByText('Why this port?').waitFor()
  await page.getByRole('button', { name: 'Review', exact: true }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  // The author sees all of it without reloading.
  await author.getByText('Explain the port.').waitFor()
  await author.getByText('Earlier version').first().waitFor()
  await author.getByRole('button', { name: 'Merge' }).click()
  await author.getByText('Merged and live').waitFor()
  await author.getByRole('link', { name: 'Open the live page' }).waitFor()
  expect((await readLive(admin, spaceId, pageId)).markdown).toContain('port 8081')
})

test('conflicts are decided with each side, both, and an own text, and can be reopened', async () => {
  const { admin } = octavo
  const spaceId = await emptySpace(admin, 'Conflicts')
  const titles = ['One', 'Two', 'Three', 'Four']
  const ids = await editLive(admin, spaceId, ...titles.map((title) => insertPage(waiting(title, 'minute'))))
  const proposal = await propose(admin, spaceId, 'Waiting')
  await proposal.edit(...ids.map((id, at) => writePage(id, waiting(titles[at] ?? '', 'second'))))
  await editLive(admin, spaceId, ...ids.map((id, at) => writePage(id, waiting(titles[at] ?? '', 'week'))))

  const page = await openAs(admin, `/spaces/${spaceId}/change-requests/1/conflicts`, { bypassCSP: true })
  await page.getByRole('heading', { name: '4 conflicts are waiting' }).waitFor()
  await page.getByRole('button', { name: 'Update from the space' }).click()
  await page.getByRole('heading', { name: '4 conflicts to decide' }).waitFor()
  const card = (title: string) =>
    page.locator('.cr-conflict').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
  expect(await markedWords(card('One'))).toEqual(['minute', 'second', 'minute', 'week'])
  await inspectPage(page, 'change-request-conflicts')
  const decide = async (title: string, button: string, decision: string) => {
    await card(title).getByRole('button', { name: button }).click()
    await card(title).getByText(decision).waitFor()
  }
  await decide('One', 'Keep theirs', 'Kept theirs')
  await card('One').getByRole('button', { name: 'Reopen' }).click()
  await decide('One', 'Keep mine', 'Kept mine')
  await decide('Two', 'Keep theirs', 'Kept theirs')
  await decide('Three', 'Keep both', 'Used an own text')
  await card('Four').getByRole('button', { name: 'Edit' }).click()
  await card('Four').getByLabel('Text to use instead').fill('Wait a **bit**.')
  await decide('Four', 'Use this text', 'Used an own text')
  await page.getByRole('heading', { name: 'All conflicts are decided' }).waitFor()
  await page.getByRole('button', { name: 'Merge' }).last().click()
  await page.getByText('Merged and live').waitFor()
  const texts = await Promise.all(ids.map(async (id) => (await readLive(admin, spaceId, id)).markdown))
  expect(texts.map((markdown) => markdown?.match(/Wait a [^.]+/g))).toEqual([
    ['Wait a second'],
    ['Wait a week'],
    ['Wait a second', 'Wait a week'],
    ['Wait a **bit**'],
  ])
})

test('a reader sees no actions, and the layout fits a phone', async () => {
  const { admin } = octavo
  const spaceId = await emptySpace(admin, 'Reading')
  const [pageId = ''] = await editLive(admin, spaceId, insertPage('# Page\n\nOld.'))
  const proposal = await propose(admin, spaceId, 'Proposal')
  await proposal.edit(writePage(pageId, '# Page\n\nNew.'))
  await editLive(admin, spaceId, writePage(pageId, '# Page\n\nOther.'))
  await proposal.update()
  const reader = await octavo.member('read', 'Rob Reader')
  const base = `/spaces/${spaceId}/change-requests/1`
  const page = await openAs(reader, base, { bypassCSP: true, ...phone })
  await page.getByRole('heading', { level: 1, name: '#1 Proposal' }).waitFor()
  await page.getByText('1 conflict to decide').waitFor()
  const actions = /^(?:Merge|Review|Request review|Change the subject|Update|Comment|Edit|Keep|Add|New change)/
  expect(await page.getByRole('button', { name: actions }).count()).toBe(0)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await inspectPage(page, 'change-request-phone')
  await page.goto(`${octavo.url}/app${base}/conflicts`)
  await page.locator('.cr-conflict').waitFor()
  expect(await page.getByRole('button', { name: actions }).count()).toBe(0)
  await page.goto(`${octavo.url}/app${base}/changes`)
  await eventually(() => markedWords(page.locator('.cr-comparison'))).toEqual(['Other', 'New'])
  expect(await page.getByRole('button', { name: actions }).count()).toBe(0)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await inspectPage(page, 'change-request-changes-phone')
  // What is chosen in the navigation is shown.
  await page.getByRole('button', { name: 'Open the navigation' }).click()
  await page.getByRole('navigation', { name: 'Changed pages' }).getByRole('button').first().click()
  await page.getByRole('button', { name: 'Open the navigation' }).waitFor()
  await page.goto(`${octavo.url}/app/spaces/${spaceId}/change-requests`)
  await page.getByRole('link', { name: /Proposal/ }).waitFor()
  expect(await page.getByRole('button', { name: actions }).count()).toBe(0)
})
