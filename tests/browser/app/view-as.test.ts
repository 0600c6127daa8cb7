import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp } from '../../support/app.ts'
import { browserForFile, eventually } from '../../support/browser.ts'
import { insertPage } from '../../support/content.ts'
import { inspectPage } from '../../support/inspect-page.ts'
import { publishPages } from '../../support/published-sites.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'

const browser = browserForFile()
let octavo: TestServer
beforeAll(async () => void (octavo = await startTestServer()))
afterAll(() => octavo.stop())

const markdown = [
  '# Prices',
  'For everybody.',
  '{% if visitor.claims.plan == "pro" %}\nOnly for pros.\n{% endif %}',
  '{% if visitor.claims.unsigned.beta %}\nOnly for testers.\n{% endif %}',
].join('\n\n')

test('a page is shown as a visitor with the claims of the site sees it, and the editor dims the rest', async () => {
  const tree = [
    insertPage(markdown),
    insertPage('# Plans', { condition: 'visitor.claims.plan', ref: 'plans' }),
    insertPage('# Details', { into: 'plans' }),
  ]
  const { spaceId, pages, params } = await publishPages(octavo, tree, { adaptiveContent: { enabled: true } })
  const path = `/spaces/${spaceId}/pages/${pages[0]}`
  const { page } = await openApp(browser, octavo, octavo.admin.id, path, { bypassCSP: true })
  const dialog = page.getByRole('dialog', { name: 'View as a visitor' })
  const openDialog = async () => {
    await page.getByText('Only for pros.').waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'View as a visitor' }).click()
  }
  // Without a schema, any claims are entered as JSON.
  await openDialog()
  await dialog.getByLabel('Claims of the visitor').waitFor()
  await octavo.admin.api.updateSiteAdaptiveSchema({
    params,
    body: {
      jsonSchema: {
        type: 'object',
        properties: { plan: { type: 'string', enum: ['free', 'pro'], description: 'Subscription plan' } },
        additionalProperties: false,
      },
    },
  })
  await page.reload()
  await openDialog()
  await dialog.getByLabel('plan').selectOption('pro')
  await inspectPage(page, 'app-view-as-dialog')
  await dialog.getByRole('button', { name: 'Show' }).click()
  await page.getByText('Shown as a visitor with plan: pro.').waitFor()
  await page.getByText('Only for pros.').waitFor()
  expect(await page.getByText('Only for testers.').count()).toBe(0)
  await page.reload()
  await page.getByText('Shown as a visitor with plan: pro.').waitFor()
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await dialog.getByRole('radio', { name: 'JSON' }).check()
  await dialog.getByLabel('Claims of the visitor').fill('{ "unsigned": { "beta": true } }')
  await dialog.getByRole('button', { name: 'Show' }).click()
  await page.getByText('Only for testers.').waitFor()
  expect(await page.getByText('Only for pros.').count()).toBe(0)
  await page.getByRole('button', { name: 'Show everything' }).click()
  await page.getByText('Only for pros.').waitFor()

  await page.goto(`${octavo.url}/app${path}/edit?as=${encodeURIComponent('{"plan":"pro"}')}`)
  const hidden = page.locator('.is-hidden-from-visitor')
  await eventually(() => hidden.allTextContents()).toEqual(['Only for testers.'])
  // Conditions are evaluated as they are changed.
  await page.getByRole('textbox', { name: 'Condition' }).first().fill('visitor.claims.plan == "free"')
  await page.keyboard.press('Enter')
  await eventually(() => hidden.allTextContents()).toEqual(['Only for pros.', 'Only for testers.'])
  await page.getByRole('button', { name: 'Show everything' }).click()
  await eventually(() => hidden.count()).toBe(0)

  await page.goto(`${octavo.url}/app${path}/edit?as=${encodeURIComponent('{"plan":"pro"}')}`)
  await page.getByRole('button', { name: 'Markdown', exact: true }).click()
  const preview = page.getByRole('region', { name: 'Preview' })
  await preview.getByText('For everybody.').waitFor()
  expect(await preview.getByText('Only for').count()).toBe(0)
  await page.getByRole('button', { name: 'Show everything' }).click()
  await preview.getByText('Only for testers.').waitFor()
  // A condition of a page above hides the page too.
  await page.goto(`${octavo.url}/app/spaces/${spaceId}/pages/${pages[2]}/edit?as=${encodeURIComponent('{}')}`)
  await page.getByText('This visitor does not see this page.').waitFor()
  await page.getByRole('button', { name: 'Visual', exact: true }).click()
  await page.locator('.editor-content').waitFor()
  await page.getByText('This visitor does not see this page.').waitFor()
})
