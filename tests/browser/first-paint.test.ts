import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserForFile, eventually } from '../support/browser.ts'
import { editLive, insertPage } from '../support/content.ts'
import { publishPages } from '../support/published-sites.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
const browser = browserForFile()
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const pages = [
  insertPage('# Home\n\n[More](more.md)', { slug: 'home' }),
  insertPage('# More\n\nText.', { slug: 'more' }),
]

/** Returns whether the scripts and the web fonts of a page were requested before its first paint. */
async function readEarlyRequests(page: Page): Promise<{ scripts: boolean; fonts: boolean }> {
  const isEarly = (part: string) =>
    page.evaluate<boolean | undefined>(`(() => {
      const [painted] = performance.getEntriesByType('paint')
      const request = performance.getEntriesByType('resource').find(({ name }) => name.includes(${JSON.stringify(part)}))
      return request && painted && request.startTime < painted.startTime
    })()`)
  await eventually(() => isEarly('/fonts/')).toBeDefined()
  return { scripts: (await isEarly('/site.')) === true, fonts: (await isEarly('/fonts/')) === true }
}

test('scripts and web fonts are loaded after the first paint', async () => {
  const { base } = await publishPages(octavo, pages)
  const { page } = await browser.open(base)
  expect(await readEarlyRequests(page)).toEqual({ scripts: false, fonts: false })
  expect(await page.evaluate(`getComputedStyle(document.body).fontFamily`)).toContain('Inter,')
})

test('the next page of a site shows the fonts that are cached by then', async () => {
  const { base } = await publishPages(octavo, pages)
  const { page, context } = await browser.open(base)
  // Nothing is painted before the body element exists.
  await context.addInitScript(`new MutationObserver((_, observer) => {
    if (!document.body) return
    window.isInitialAtBody = 'initial' in document.documentElement.dataset
    observer.disconnect()
  }).observe(document, { childList: true, subtree: true })`)
  await page.getByRole('main').getByRole('link', { name: 'More', exact: true }).click()
  await page.waitForURL(`${base}more`)
  expect(await page.evaluate('isInitialAtBody')).toBe(false)
})

test('scripts are loaded at once if a choice is stored or the URL names a part of the page', async () => {
  const { base } = await publishPages(octavo, pages)
  const { page } = await browser.open(`${base}#home`)
  expect((await readEarlyRequests(page)).scripts).toBe(true)
  await page.evaluate(`localStorage.setItem('tab', 'npm')`)
  await page.goto('about:blank')
  await page.goto(base)
  expect((await readEarlyRequests(page)).scripts).toBe(true)
})

test('a site without a choice of the theme ignores the one that is stored for its host', async () => {
  const { base } = await publishPages(octavo, pages, {
    customization: { themes: { default: 'light', toggeable: false } },
  })
  const { page } = await browser.open(base)
  await page.evaluate(`localStorage.setItem('theme', 'dark')`)
  await page.reload()
  expect(await page.locator('html').getAttribute('data-theme')).toBe('light')
})

test('web fonts are loaded without scripts', async () => {
  const { base } = await publishPages(octavo, pages)
  const { page } = await browser.open(base, { javaScriptEnabled: false })
  expect(await page.evaluate('getComputedStyle(document.body).fontFamily')).toContain('Inter,')
})

test('a long navigation is laid out after the first paint, and nothing moves', async () => {
  const many = Array.from({ length: 70 }, (_, index) =>
    insertPage(`# Page ${index}\n\nText.`, { slug: `page-${index}` }),
  )
  const { base, spaceId } = await publishPages(octavo, many.slice(0, 35))
  await editLive(octavo.admin, spaceId, ...many.slice(35))
  const { page } = await browser.open(`${base}page-69`)
  const current = page.locator('.sidebar [aria-current]')
  await current.waitFor()
  // The script in the head scrolls to the entry of the page.
  await eventually(async () => (await current.boundingBox())?.y).toBeLessThan(800)
  const [after, before] = await page.evaluate<[object, object]>(`(() => {
    const root = document.documentElement
    const [bar, nav] = ['.sidebar', '.sidebar nav'].map((selector) => document.querySelector(selector))
    const read = () => ({ visibility: getComputedStyle(nav).contentVisibility, bar: bar.offsetHeight, page: root.scrollHeight })
    const after = read()
    root.dataset.initial = ''
    return [after, read()]
  })()`)
  expect(after).toMatchObject({ visibility: 'visible' })
  expect(before).toEqual({ ...after, visibility: 'hidden' })
  const reader = await browser.open(`${base}page-69`, { javaScriptEnabled: false })
  await reader.page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: 'Page 3', exact: true })
    .waitFor()
})

test('what is below the window is laid out after the first paint, and nothing moves', async () => {
  const text = Array.from({ length: 60 }, (_, index) => `Paragraph ${index}.`).join('\n\n')
  const { base } = await publishPages(octavo, [insertPage(`# Home\n\n${text}\n\n## Last\n\nEnd.`, { slug: 'home' })])
  const { page, context } = await browser.open(base)
  await page.getByText('End.', { exact: true }).waitFor()
  const [after, before] = await page.evaluate<{ tops: number[]; hidden: number; isScrollable: boolean }[]>(`(() => {
    const root = document.documentElement
    const blocks = [...document.querySelector('.content').children]
    const read = () => ({
      tops: blocks.slice(0, 15).map((block) => block.getBoundingClientRect().top),
      hidden: blocks.filter((block) => !block.checkVisibility({ contentVisibilityAuto: true }) || block.offsetHeight === innerHeight).length,
      isScrollable: root.scrollHeight > innerHeight,
    })
    const after = read()
    root.dataset.initial = ''
    return [after, read()]
  })()`)
  expect(after).toMatchObject({ hidden: 0, isScrollable: true })
  expect(before).toEqual({ ...after, hidden: 47 })
  // A page that may be scrolled is complete at once.
  await context.addInitScript(`new MutationObserver((_, observer) => {
    if (!document.body) return
    window.isInitialAtBody = 'initial' in document.documentElement.dataset
    observer.disconnect()
  }).observe(document, { childList: true, subtree: true })`)
  const readScroll = () => page.evaluate<[boolean, number]>('[isInitialAtBody, Math.round(scrollY)]')
  await page.goto('about:blank')
  await page.goto(base)
  expect(await readScroll()).toEqual([true, 0])
  await page.goto('about:blank')
  await page.goto(`${base}#last`)
  const [isInitial, top] = await readScroll()
  expect(isInitial).toBe(false)
  expect(top).toBeGreaterThan(1000)
  await page.goto('about:blank')
  await page.goBack()
  expect(await readScroll()).toEqual([false, top])
  await page.goto(base)
  await page.evaluate('scrollTo(0, 1500)')
  await page.reload()
  expect(await readScroll()).toEqual([false, 1500])
})

test('a page whose inline scripts are blocked is complete', async () => {
  const { base } = await publishPages(octavo, pages)
  const { page } = await browser.open('about:blank', {
    expects: [/Content Security Policy/],
    origins: [new URL(base).origin],
  })
  // A reverse proxy that sets a policy of its own.
  await page.route(base, async (route) => {
    const reply = await route.fetch()
    await route.fulfill({
      response: reply,
      headers: { ...reply.headers(), 'content-security-policy': `script-src 'self'` },
    })
  })
  await page.goto(base)
  expect(await page.evaluate('getComputedStyle(document.body).fontFamily')).toContain('Inter,')
})
