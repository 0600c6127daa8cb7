import type { Page } from 'playwright-core'
import { openApp } from './app.ts'
import type { BrowserSession, TestBrowser } from './browser.ts'
import { type Proposal, editLive, emptySpace, insertPage, propose } from './content.ts'
import type { TestServer } from './server.ts'

/** A page in a change request that is opened in the editor. */
export interface EditedPage {
  proposal: Proposal
  pageId: string
  /** Path of the editor in the app. */
  path: string
  /** Returns the saved Markdown of the page after its title. */
  read: () => Promise<string>
}

/** Creates a page with a text in Markdown, and a change request for it. */
export async function createEditedPage({ admin }: TestServer, body: string): Promise<EditedPage> {
  const spaceId = await emptySpace(admin)
  const [pageId = ''] = await editLive(admin, spaceId, insertPage(`# Install\n\n${body}`))
  const proposal = await propose(admin, spaceId, 'Rewrite')
  return {
    proposal,
    pageId,
    path: `/spaces/${spaceId}/change-requests/1/pages/${pageId}`,
    async read() {
      const params = { ...proposal.params, pageId }
      const page = await admin.api.getPageInChangeRequestById({ params, query: { format: 'markdown' } })
      return (('markdown' in page && page.markdown) || '').replace(/^# Install\n\n?/, '')
    },
  }
}

/** The text of the page in the visual editor. */
export const editorText = (page: Page) => page.getByRole('textbox', { name: 'Text of the page', exact: true })

/** Opens a page in the visual editor. */
export async function openEditor(
  browser: TestBrowser,
  octavo: TestServer,
  path: string,
  options: Parameters<typeof openApp>[4] = {},
  userId = octavo.admin.id,
): Promise<BrowserSession> {
  const session = await openApp(browser, octavo, userId, path, options)
  await editorText(session.page).waitFor()
  return session
}

/** Types at the end of the paragraph that contains a text. */
export async function typeAfter(page: Page, paragraph: string, typed: string): Promise<void> {
  await editorText(page).locator('p', { hasText: paragraph }).click()
  await page.keyboard.press('End')
  await page.keyboard.type(typed)
}

/** Chooses a block in the menu that a slash opens in the current paragraph. */
export async function insertBlock(page: Page, query: string, name: string): Promise<void> {
  await page.keyboard.type(`/${query}`)
  await page.getByRole('option', { name, exact: true }).waitFor()
  await page.keyboard.press('Enter')
}

/** What another program puts into the clipboard; a file is the Base64 of a GIF image. */
interface Pasted {
  'text/html'?: string
  'text/plain'?: string
  'vscode-editor-data'?: string
  file?: string
}

/** Where files of the computer are dropped in the window. */
interface Drop {
  x: number
  y: number
}

/** Pastes at the cursor, or drops at a place. */
export const paste = (page: Page, pasted: Pasted, at?: Drop) =>
  editorText(page).evaluate(
    (
      element: { dispatchEvent(event: unknown): boolean },
      { file, at: place, ...texts }: Pasted & { at: Drop | undefined },
    ) => {
      interface Transfer {
        setData(type: string, value: string): void
        items: { add(file: unknown): void }
      }
      const scope = globalThis as unknown as Record<string, new (...values: unknown[]) => unknown>
      const create = (name: string, ...values: unknown[]) =>
        new (scope[name] as new (..._: unknown[]) => unknown)(...values)
      const data = create('DataTransfer') as Transfer
      for (const [type, value] of Object.entries(texts)) data.setData(type, value)
      if (file !== undefined) {
        const bytes = Uint8Array.from(atob(file), (character) => character.charCodeAt(0))
        data.items.add(create('File', [bytes], 'dot.gif', { type: 'image/gif' }))
      }
      const options = { bubbles: true, cancelable: true }
      element.dispatchEvent(
        place
          ? create('DragEvent', 'drop', { dataTransfer: data, clientX: place.x, clientY: place.y, ...options })
          : create('ClipboardEvent', 'paste', { clipboardData: data, ...options }),
      )
    },
    { ...pasted, at },
  )
