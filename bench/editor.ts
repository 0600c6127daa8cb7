// The visual editor: opening and typing in a page of 10,000 blocks compared with plain ProseMirror
import { type Browser, type CDPSession, type Page, chromium } from 'playwright-core'
import { createClient } from '../src/client/client.ts'
import { findChromium } from '../tests/support/chromium.ts'
import { adminEmail, adminToken, serverEnv } from './support/environment.ts'
import { makeSqliteHome, withHomeDatabase } from './support/homes.ts'
import { startPlainEditor } from './support/plain-editor.ts'
import { formatGoal, median, percentile, printTable } from './support/report.ts'
import { startOctavo } from './support/server.ts'
import { createBrowserSession } from './support/session.ts'

/** As many blocks as a document may contain, counting those inside of others. */
const blockCount = 10_000
/** Of sixteen blocks, ten are at the top level. */
const topCount = 6250
const rounds = 3
const keysPerRound = 100
/** Goals: milliseconds until the editor is usable, milliseconds for a key stroke, and the ratio of both to plain ProseMirror. */
const goals = { open: 2000, key: 16, ratio: 2 }

/** A page with an editor in it. */
interface Subject {
  name: string
  url: string
  /** Number of blocks at the top level. */
  count: number
  token?: string
}

interface Sample {
  /** Milliseconds until the editor shows the page, and of these the CPU time of the page. */
  open: number
  openCpu: number
  /** CPU milliseconds of the page for each key. */
  keys: number[]
}

const executablePath = findChromium()
if (executablePath === undefined) console.log('There is no Chromium on this machine.')
else await measureEditor(executablePath)

async function measureEditor(path: string): Promise<void> {
  const home = makeSqliteHome(serverEnv)
  const browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox'] })
  const plain = await startPlainEditor(blockCount)
  // The first start creates the administrator.
  await (await startOctavo(home.env)).stop()
  const token = await withHomeDatabase(home, (database) => createBrowserSession(database, adminEmail))
  const server = await startOctavo(home.env)
  try {
    const url = await createLargePage(server.url)
    await report(browser, [
      { name: 'plain ProseMirror', url: plain.url, count: blockCount },
      { name: 'visual editor', url, count: topCount, token },
    ])
  } finally {
    plain.stop()
    await browser.close()
    await server.stop()
    await home.remove()
  }
}

/** Creates a change request with a page of many blocks; returns the URL of its editor. */
async function createLargePage(url: string): Promise<string> {
  const api = createClient({ url, token: adminToken })
  const [organization] = (await api.listOrganizationsForAuthenticatedUser()).items
  const params = { organizationId: organization?.id ?? '' }
  const { id: spaceId } = await api.createSpace({ params, body: { title: 'Large' } })
  const { number } = await api.createChangeRequest({ params: { spaceId }, body: { subject: 'Write' } })
  const markdown = `# Large\n\n${Array.from({ length: topCount }, (_, index) => makeBlock(index)).join('\n\n')}\n`
  const reply = await api.updateChangeRequestContent({
    params: { spaceId, changeRequestId: String(number) },
    query: { compat: false },
    body: { changes: [{ operation: 'insert_page', document: { markdown } }] },
  })
  const [created] = 'changes' in reply ? reply.changes : []
  const pageId = created?.object === 'created_page' ? created.page.id : ''
  return `${url}/app/spaces/${spaceId}/change-requests/${number}/pages/${pageId}`
}

/** Returns a block of the top level as Markdown; six of ten are paragraphs. */
function makeBlock(index: number): string {
  switch (index % 10) {
    case 1:
      return `## Section ${index}`
    case 3:
      return `* First item of ${index}\n* Second with \`code\``
    case 6:
      return `\`\`\`js\nconst value${index} = ${index}\n\`\`\``
    case 8:
      return `{% hint style="info" %}\nA hint with the number ${index}.\n{% endhint %}`
    default:
      return `Paragraph ${index} has some **bold** words and a [link](https://example.com/${index}) in a sentence.`
  }
}

async function report(browser: Browser, subjects: readonly Subject[]): Promise<void> {
  const samples = new Map<Subject, Sample[]>(subjects.map((subject) => [subject, []]))
  for (let round = 0; round <= rounds; round++)
    for (const subject of subjects) {
      const sample = await measureSubject(browser, subject)
      // The first round is a warm-up.
      if (round > 0) samples.get(subject)?.push(sample)
    }
  const [plain] = subjects
  const rows = subjects.map((subject) => {
    const own = summarize(samples.get(subject) ?? [])
    const other = summarize((plain && samples.get(plain)) ?? [])
    const isPlain = subject === plain
    return [
      subject.name,
      `${Math.round(own.open)} ms`,
      isPlain ? '' : formatGoal(own.open, goals.open, ' ms'),
      `${Math.round(own.openCpu)} ms`,
      `${(own.openCpu / other.openCpu).toFixed(1)} x`,
      `${own.middle.toFixed(1)} ms`,
      `${own.slow.toFixed(1)} ms`,
      isPlain ? '' : formatGoal(own.slow, goals.key, ' ms'),
      `${(own.slow / other.slow).toFixed(1)} x`,
      isPlain ? '' : formatGoal(own.slow / other.slow, goals.ratio, ' x'),
    ]
  })
  console.log(`${blockCount} blocks, ${rounds} rounds of ${keysPerRound} keys`)
  printTable([['editor', 'open', 'goal', 'CPU', 'ratio', 'key p50', 'key p95', 'goal', 'ratio', 'goal'], ...rows])
}

function summarize(samples: readonly Sample[]) {
  return {
    open: median(samples.map(({ open }) => open)),
    openCpu: median(samples.map(({ openCpu }) => openCpu)),
    middle: median(samples.map(({ keys }) => percentile(keys, 50))),
    slow: median(samples.map(({ keys }) => percentile(keys, 95))),
  }
}

async function measureSubject(browser: Browser, { url, count, token }: Subject): Promise<Sample> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  if (token !== undefined)
    await context.addCookies([{ name: 'octavo-session', value: token, domain: new URL(url).hostname, path: '/' }])
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    // Time in which other programs used the processor is not counted.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    const started = performance.now()
    await page.goto(url, { waitUntil: 'commit' })
    await page.waitForSelector(`.ProseMirror > :nth-child(${count})`, { state: 'attached' })
    await painted(page)
    const open = performance.now() - started
    const openCpu = await readTaskTime(session)
    return { open, openCpu, keys: await measureKeys(page, session, count) }
  } finally {
    await context.close()
  }
}

/** Types into a paragraph in the middle of the page; returns the CPU time of each key, up to the frame that shows it. */
async function measureKeys(page: Page, session: CDPSession, count: number): Promise<number[]> {
  await page.locator(`.ProseMirror > :nth-child(${count / 2})`).click()
  const keys: number[] = []
  let before = await readTaskTime(session)
  for (let index = 0; index < keysPerRound; index++) {
    await page.keyboard.type('word '[index % 5] as string)
    await painted(page)
    const after = await readTaskTime(session)
    keys.push(after - before)
    before = after
  }
  return keys
}

/** Waits until the next frame was shown. */
async function painted(page: Page): Promise<void> {
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)))')
}

/** Returns the milliseconds of CPU that the main thread of the page has used. */
async function readTaskTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
}
