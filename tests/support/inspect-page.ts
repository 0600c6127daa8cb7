import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { colorRules, findViolations } from './axe.ts'
import { takeScreenshot } from './browser.ts'
import { isLong } from './long.ts'
import { engine } from './server.ts'

/** Checks the accessibility of a page of the server in both themes and takes screenshots of it. */
export async function inspectPage(page: Page, name: string): Promise<void> {
  // Pages are the same on both engines, and long runs open each of them on both.
  if (isLong && engine === 'postgres') return
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.evaluate(`document.documentElement.dataset.theme = '${colorScheme}'`)
    await takeScreenshot(page, `${name}-${colorScheme}`)
    const violations =
      colorScheme === 'light' ? await findViolations(page) : await findViolations(page, colorRules, 'rule')
    expect([name, colorScheme, ...violations]).toEqual([name, colorScheme])
  }
}
