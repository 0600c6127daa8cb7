import { execFile } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { RevisionPage } from '../../src/contract/revision.ts'
import { readManual } from '../../src/server/manual.ts'
import { folderForTest } from '../support/disk.ts'
import { homeForTest } from '../support/home.ts'
import { checkoutEntry, bootstrapToken, startServerProcess } from '../support/process.ts'
import { serverForTest } from '../support/server.ts'
import { engineForTest, startDeeplEngine } from '../support/translation-engines.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Returns the code blocks of a file that have the given language. */
function blocksIn(file: string, syntax: 'sh' | 'js'): string[] {
  const text = readFileSync(`${root}${file}`, 'utf8')
  return Array.from(text.matchAll(/^ *```(\w+)\n([^]*?)^ *```$/gm), ([, of, code = '']) =>
    of === syntax ? code : '',
  ).filter((code) => code !== '')
}

/** Whether a code block starts the server or installs packages, which the test has already done. */
const isStart = (code: string) => /^npm (start|install)|npm start$/m.test(code)

const titles = (pages: readonly RevisionPage[]): unknown[] =>
  pages.map((page) => ('pages' in page && page.pages.length > 0 ? [page.title, titles(page.pages)] : page.title))

test('the first start imports the manual into the first space', async () => {
  const { admin } = await serverForTest({}, { readManual })
  const params = { spaceId: admin.spaceId }
  const { pages } = await admin.api.listPages({ params })
  expect(titles(pages)).toMatchObject([
    'Octavo',
    'Getting started',
    'Sign in',
    'Joining an organization',
    ['Web app', expect.arrayContaining(['Change requests in the web app'])],
    ['Writing', expect.arrayContaining(['Markdown'])],
    ['Publishing', expect.arrayContaining(['Published sites'])],
    ['Using the API', expect.arrayContaining(['Conventions'])],
    ['Self-hosting', expect.arrayContaining(['Configuration'])],
  ])

  const home = await admin.api.getPageByPath({
    params: { ...params, pagePath: 'readme' },
    query: { format: 'markdown' },
  })
  expect(home).toMatchObject({ title: 'Octavo', description: 'Self-hosted documentation publishing.' })
  // Links between files become links between pages, also into a group.
  expect('markdown' in home && home.markdown).toContain('[Getting started](getting-started.md)')
  const conventions = await admin.api.getPageByPath({
    params: { ...params, pagePath: 'using-the-api/conventions' },
    query: { format: 'document' },
  })
  const stable = await admin.api.getPageById({
    params: { ...params, pageId: home.id },
    query: { format: 'markdown', 'format.markdown.refs': 'stable' },
  })
  expect('markdown' in stable && stable.markdown).toContain(`[Conventions](/pages/${conventions.id})`)
})

test('the manual contains exactly the files that SUMMARY.md lists', () => {
  const summary = readFileSync(`${root}docs/SUMMARY.md`, 'utf8')
  const listed = Array.from(summary.matchAll(/\]\(([^)]+)\)/g), ([, path]) => path)
  expect(readManual()?.paths).toEqual([...listed, 'SUMMARY.md'].sort())
})

/** Starts a server and returns functions that run the code of the manual with it. */
async function serverForReader() {
  const env = await homeForTest()
  const server = await startServerProcess(env, { entry: checkoutEntry })
  const { items } = await server.api().listOrganizationsForAuthenticatedUser({})
  const { items: spaces } = await server.api().listSpacesInOrganizationById({
    params: { organizationId: items[0]?.id ?? '' },
  })
  const work = folderForTest({ 'docs/README.md': '# A folder\n' })
  const variables = { TOKEN: bootstrapToken, ORG: items[0]?.id ?? '', SPACE: spaces[0]?.id ?? '' }
  // Replaces placeholders of the manual, and the commands of a checkout with their full path.
  const filled = (code: string) =>
    code
      .replaceAll('http://127.0.0.1:3000', server.url)
      .replaceAll('oct_…', bootstrapToken)
      .replaceAll('1m7…', variables.SPACE)
      .replaceAll('npm run octavo --', `"${process.execPath}" "${root}scripts/octavo.js"`)
  return {
    /** Runs all commands of a file in one shell, except those that start the server. */
    async runShell(file: string): Promise<string> {
      const commands = blocksIn(file, 'sh').filter((code) => !isStart(code))
      expect(commands.length).toBeGreaterThan(0)
      const { PATH = '', HOME = '' } = process.env
      // With these options, an unassigned variable ends the script.
      const options = { cwd: work, env: { PATH, HOME, ...env } }
      const code = filled(commands.join('\n'))
      return (await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', code], options)).stdout
    },
    /** Runs each JavaScript module of a file and returns their output. */
    async runModules(file: string, more: Record<string, string> = {}): Promise<string[]> {
      const outputs: string[] = []
      for (const code of blocksIn(file, 'js')) {
        const options = { cwd: root, env: { ...process.env, ...variables, ...more } }
        const { stdout } = await promisify(execFile)(
          process.execPath,
          ['--input-type=module', '-e', filled(code)],
          options,
        )
        outputs.push(stdout)
      }
      return outputs
    },
  }
}

test('the commands and modules of the README files and the getting started guide run as written', async () => {
  const reader = await serverForReader()
  const printed = await reader.runShell('docs/getting-started.md')
  expect(printed).not.toMatch(/"error"|undefined/)
  expect(printed).toMatch(/^Published at http:\S+\/handbook\/$/m)
  expect(printed).toContain('Looks **good** to me.')
  expect(printed).toContain('"result":"merge"')
  const addresses = printed.match(/http:\S+\/handbook[\w-]*\//g) ?? []
  expect(addresses).toHaveLength(2)
  for (const address of addresses) expect((await fetch(address)).status).toBe(200)
  expect(await (await fetch(`${addresses[1]}hello`)).text()).toContain('This is mine.')

  for (const file of ['README.md', 'docs/README.md']) expect(await reader.runShell(file)).not.toMatch(/"error"/)
  for (const file of ['docs/getting-started.md', 'docs/README.md']) {
    const outputs = await reader.runModules(file)
    expect(outputs.length).toBeGreaterThan(0)
    for (const output of outputs) expect(output).toMatch(/http:\S+\/handbook-\d+\/|'Getting started'/)
  }
})

/** Expected output of the commands of each page, in this order: the last page changes the URL of the first site. */
const expectedOutputs: Readonly<Record<string, readonly RegExp[]>> = {
  'operating/monitoring': [/"status":"ready"/, /^octavo_jobs\{/m, /Configuration/],
  'publishing/sites': [/<h1 class="page-title"/],
  'publishing/customization-and-themes': [/"theme":"muted"/],
  'publishing/site-search': [/<title>[^<]*share link/i],
  'publishing/llms-and-mcp': [
    /^- \[Getting started\]\(http:\S+\/getting-started\.md\)/m,
    /"text":"# Getting started/,
    /# Getting started\n[^]*# Getting started\n/,
    /<urlset /,
    /^Sitemap: http:\S+\/sitemap\.xml$/m,
  ],
  'publishing/access-and-visitors': [/^share-link\nhttp:\S+\/sk-\w+\/$/m, /"fallbackURL":"http:/, /\?preview=\S+$/m],
  'publishing/custom-domains': [/"name":"_octavo\.docs\.example\.com"/, /http:[^"\s]+\/octavo\/\n$/],
}

test('the commands of the pages about publishing and monitoring run as written', async () => {
  const reader = await serverForReader()
  for (const [page, expected] of Object.entries(expectedOutputs)) {
    const printed = await reader.runShell(`docs/${page}.md`)
    expect(printed).not.toMatch(/"error"|^undefined$/m)
    for (const pattern of expected) expect([page, printed]).toEqual([page, expect.stringMatching(pattern)])
  }
  expect(await reader.runModules('docs/publishing/sites.md')).toEqual([expect.stringMatching(/\/handbook-1\/$/m)])
})

test('the commands of the page about translations run as written', async () => {
  const engine = await engineForTest(startDeeplEngine())
  const { url, admin } = await serverForTest({
    OCTAVO_TRANSLATION: 'deepl',
    OCTAVO_TRANSLATION_URL: engine.url,
    OCTAVO_TRANSLATION_KEY: 'key',
  })
  const commands = blocksIn('docs/writing/translations.md', 'sh').filter((code) => !isStart(code))
  const code = commands.join('\n').replaceAll('http://127.0.0.1:3000', url).replaceAll('oct_…', admin.token)
  const { PATH = '', HOME = '' } = process.env
  const options = { env: { PATH, HOME } }
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', code], options)
  expect(stdout).not.toMatch(/"error"|undefined/)
  expect(stdout).toContain('"title":"WELCOME"')
  const [published = ''] = /http:\S+\/guide\/$/.exec(stdout.trim().replaceAll('}', '}\n')) ?? []
  expect(await (await fetch(published)).text()).toMatch(/hreflang="fr"/)
})

/** Serves a website with one page, for the example that imports a website. */
async function serveOnePage(): Promise<string> {
  const website = createServer((request, response) => {
    response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html' })
    response.end('<title>Website</title><main><h1>Website</h1><p>One page of a website.</p></main>')
  })
  await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void website.close())
  return `http://127.0.0.1:${(website.address() as AddressInfo).port}/`
}

test.each(readdirSync(`${root}docs/api`))('the commands in docs/api/%s run as written', async (name) => {
  const commands = blocksIn(`docs/api/${name}`, 'sh')
  expect(commands.length).toBeGreaterThan(0)
  const { url, admin } = await serverForTest({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
  const code = commands
    .join('\n')
    .replaceAll('http://127.0.0.1:3000', url)
    .replaceAll('oct_…', admin.token)
    .replaceAll('"https://docs.example.com/"', `"${await serveOnePage()}"`)
  const { PATH = '', HOME = '' } = process.env
  const options = { cwd: folderForTest(), env: { PATH, HOME } }
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', code], options)
  expect(stdout).not.toMatch(/"error"|"status":"error"|undefined/)
})
