import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserForFile, eventually, getFocusedName, takeScreenshot, tabTo } from '../support/browser.ts'
import { editLive, insertPage } from '../support/content.ts'
import { publishPages } from '../support/published-sites.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
let base: string
const browser = browserForFile()

const words = 'Some words that fill a line of the page, and then some more of them. '.repeat(8)
const chapters = ['Before you begin', 'Set it up', 'Look at it', 'Clean up']
const long = chapters.map((title) => `## ${title}\n\n${`${words}\n\n`.repeat(4)}`).join('')

beforeAll(async () => {
  octavo = await startTestServer()
  const site = await publishPages(octavo, [
    insertPage('# Welcome\n\nRead [how to install](/pages/install) first.', { description: 'All there is to know' }),
    insertPage('# Install\n\nIt takes a minute.', { slug: 'install' }),
    insertPage('# Reference\n\nEverything in detail.', { slug: 'reference' }),
  ])
  base = site.base
  const [, install = '', reference = ''] = site.pages
  await editLive(
    octavo.admin,
    site.spaceId,
    insertPage(`# On Linux\n\n${long}`, { slug: 'linux', into: install }),
    insertPage('# Commands\n\nOf the shell.', { slug: 'commands', into: reference }),
  )
})
afterAll(() => octavo.stop())

const at = (path: string) => new URL(path, base).href

test('a reader navigates by links, branches, breadcrumbs, pagination and the browser history', async () => {
  const { page } = await browser.open(base)
  const sidebar = page.getByRole('navigation', { name: 'Pages' })
  await takeScreenshot(page, 'home')
  expect(await page.title()).toBe('Welcome | Handbook')
  await page.getByRole('main').getByRole('link', { name: 'how to install' }).click()
  await page.waitForURL(at('install'))
  expect(await sidebar.locator('[aria-current=page]').textContent()).toBe('Install')
  // The sidebar contains the children of the current page; other branches are fetched when they are expanded.
  expect(await sidebar.getByRole('link', { name: 'On Linux' }).count()).toBe(1)
  expect(await sidebar.getByRole('link', { name: 'Commands' }).count()).toBe(0)
  const branch = sidebar.getByRole('button', { name: 'Reference' })
  await branch.focus()
  await page.keyboard.press('Enter')
  await sidebar.getByRole('link', { name: 'Commands' }).waitFor()
  expect(await branch.getAttribute('aria-expanded')).toBe('true')
  await page.keyboard.press('Space')
  await sidebar.getByRole('link', { name: 'Commands' }).waitFor({ state: 'hidden' })
  expect(await branch.getAttribute('aria-expanded')).toBe('false')

  await page.getByRole('link', { name: 'Next' }).click()
  await page.waitForURL(at('install/linux'))
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Install' }).click()
  await page.waitForURL(at('install'))
  await page.goBack()
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('On Linux')
  await page.goBack()
  await page.goForward()
  expect(page.url()).toBe(at('install/linux'))
})

test('the outline highlights the current section, and headings have fragment links', async () => {
  const { page } = await browser.open(at('install/linux'))
  const outline = page.getByRole('navigation', { name: 'On this page' })
  const current = () => outline.locator('[aria-current]').allTextContents()
  await eventually(current).toEqual(['Before you begin'])
  await page.getByRole('heading', { name: 'Look at it' }).evaluate((heading) => heading.scrollIntoView())
  await eventually(current).toEqual(['Look at it'])
  await page.keyboard.press('End')
  await eventually(current).toEqual(['Clean up'])
  await outline.getByRole('link', { name: 'Set it up' }).click()
  expect(page.url()).toBe(at('install/linux#set-it-up'))
  await eventually(current).toEqual(['Set it up'])
  const heading = page.getByRole('heading', { name: 'Set it up' })
  // The sticky header must not cover the heading.
  const header = await page.getByRole('banner').first().boundingBox()
  const seen = await heading.boundingBox()
  expect(seen?.y).toBeGreaterThanOrEqual((header?.y ?? 0) + (header?.height ?? 0) - 1)
  await page.getByRole('heading', { name: 'Clean up' }).hover()
  await page.getByRole('heading', { name: 'Clean up' }).getByRole('link').click()
  expect(page.url()).toBe(at('install/linux#clean-up'))
})

test('the sidebar scrolls to the current page without scrolling the document', async () => {
  const titles = Array.from({ length: 45 }, (_, index) => `Chapter ${index + 1}`)
  const site = await publishPages(
    octavo,
    titles.map((title) => insertPage(`# ${title}\n\nText.`)),
  )
  const { page } = await browser.open(`${site.base}chapter-40`)
  const current = page.getByRole('navigation', { name: 'Pages' }).locator('[aria-current=page]')
  await eventually(async () => {
    const box = await current.boundingBox()
    return box ? box.y : -1
  }).toBeLessThan(600)
  expect((await current.boundingBox())?.y).toBeGreaterThan(100)
  expect(await page.evaluate('scrollY')).toBe(0)
})

test('all navigation works with the keyboard alone', async () => {
  const { page } = await browser.open(base)
  await page.keyboard.press('Tab')
  expect(await getFocusedName(page)).toBe('Skip to content')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  const main = page.getByRole('main')
  await tabTo(page, main.getByRole('link', { name: 'how to install' }))
  await page.keyboard.press('Enter')
  await page.waitForURL(at('install'))
  // The navigation follows the content in the tab order and has a skip link at the start of the page.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  expect(await getFocusedName(page)).toBe('Pages')
  await page.keyboard.press('Enter')
  const sidebar = page.getByRole('navigation', { name: 'Pages' })
  await page.keyboard.press('Tab')
  expect(await getFocusedName(page)).toBe('Welcome')
  await tabTo(page, sidebar.getByRole('button', { name: 'Reference' }))
  await page.keyboard.press('Enter')
  const commands = sidebar.getByRole('link', { name: 'Commands' })
  await commands.waitFor()
  await page.keyboard.press('Tab')
  expect(await getFocusedName(page)).toBe('Commands')
  await page.keyboard.press('Enter')
  await page.waitForURL(at('reference/commands'))
  await tabTo(page, page.getByRole('link', { name: 'Previous' }))
  await page.keyboard.press('Enter')
  await page.waitForURL(at('reference'))
})
