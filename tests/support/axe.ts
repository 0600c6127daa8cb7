import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Rules that depend on colors; all others have the same result in both themes. */
export const colorRules = ['color-contrast', 'link-in-text-block']

/** Disabled because authors choose the levels of headings. */
const rules = { 'heading-order': { enabled: false } }

/** Returns the accessibility violations that axe finds on a page in its current state; the page must bypass its CSP. */
export async function findViolations(
  page: Page,
  values: readonly string[] = tags,
  type: 'tag' | 'rule' = 'tag',
): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.addScriptTag({ path: axe })
  const options = JSON.stringify({ runOnly: { type, values }, resultTypes: ['violations'], rules })
  return page.evaluate<
    string[]
  >(`axe.run(document, ${options}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 4).map(({ target, any, all, none }) =>
      id + ' at ' + target.join(' ') + ': ' + [...any, ...all, ...none].map(({ message }) => message).join(', '))))`)
}
