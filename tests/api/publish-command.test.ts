import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../support/command.ts'
import { folderForTest, writeFiles } from '../support/disk.ts'
import { homeForTest } from '../support/home.ts'
import { type ProcessResult, runOctavo, startServerProcess } from '../support/process.ts'

const files = {
  'README.md': '# Acme handbook\n\nSee the [guide](guide.md).\n',
  'guide.md': '# Guide\n\nHow it works.\n',
}

const publishedAt = ({ stdout }: ProcessResult) => /^Published at (\S+)$/m.exec(stdout)?.[1] ?? ''
const idIn = ({ stdout }: ProcessResult, name: 'Site' | 'Space') =>
  new RegExp(`Published at[^]*^ {2}${name} +(\\S+)$`, 'm').exec(stdout)?.[1] ?? ''

test('publish creates a site from a folder while the server runs and updates it when repeated', async () => {
  const env = await homeForTest()
  const server = await startServerProcess(env)
  const api = server.api()
  const folder = folderForTest(files)
  const first = await runOctavo(['publish', folder], env)
  expect(first).toMatchObject({ exitCode: 0 })
  const address = publishedAt(first)
  expect(address).toMatch(new RegExp(`^${server.url}/sites/\\w+/acme-handbook/$`))
  expect(await (await fetch(address)).text()).toContain('Acme handbook')
  const [spaceId, siteId] = [idIn(first, 'Space'), idIn(first, 'Site')]
  const { organization: organizationId, title } = await api.getSpaceById({ params: { spaceId } })
  expect(title).toBe('Acme handbook')
  const before = await api.listSites({ params: { organizationId } })
  expect(before.items).toContainEqual(
    expect.objectContaining({ id: siteId, title: 'Acme handbook', published: true, visibility: 'public' }),
  )

  writeFiles(folder, { 'guide.md': '# Guide\n\nHow it works now.\n', 'new.md': '# New page\n' })
  const second = await runCommand(['publish', `${folder}/.`, '--title', 'Handbook'], env)
  expect(second).toMatchObject({ exitCode: 0 })
  expect(second.stdout).toMatch(/^3 pages, .*: 1 added, 1 changed, 0 removed\./m)
  expect([publishedAt(second), idIn(second, 'Space'), idIn(second, 'Site')]).toEqual([address, spaceId, siteId])
  expect(await (await fetch(`${address}guide`)).text()).toContain('How it works now.')
  const after = await api.listSites({ params: { organizationId } })
  expect(after.count).toBe(before.count)
  expect(after.items.find(({ id }) => id === siteId)).toMatchObject({ title: 'Handbook' })

  // Another folder becomes another site, unless --site selects an existing one.
  const other = folderForTest({ 'README.md': '# Acme handbook\n\nAnother one.\n' })
  const another = await runCommand(['publish', other], env)
  expect(publishedAt(another)).toMatch(/\/acme-handbook-\d+\/$/)
  const named = await runCommand(['publish', other, '--site', siteId], env)
  expect([publishedAt(named), idIn(named, 'Space')]).toEqual([address, spaceId])
  expect(await (await fetch(address)).text()).toContain('Another one.')

  // A deleted site or space is created again; a space that still exists is used again.
  await api.deleteSiteById({ params: { organizationId, siteId } })
  const again = await runCommand(['publish', folder], env)
  expect(again).toMatchObject({ exitCode: 0 })
  expect(idIn(again, 'Space')).toBe(spaceId)
  expect(idIn(again, 'Site')).not.toBe(siteId)
  expect((await fetch(publishedAt(again))).status).toBe(200)
  await api.deleteSpaceById({ params: { spaceId } })
  const anew = await runCommand(['publish', folder], env)
  expect(anew).toMatchObject({ exitCode: 0 })
  expect(idIn(anew, 'Space')).not.toBe(spaceId)
  expect((await fetch(publishedAt(anew))).status).toBe(200)
})

test('publish works before the first start of the server, which then serves the site', async () => {
  const env = await homeForTest()
  const folder = folderForTest(files)
  const bad = await runCommand(['publish', join(folder, 'absent')], env)
  expect(bad).toMatchObject({ exitCode: 1, stdout: '' })
  const first = await runOctavo(['publish', folder], env)
  expect(first).toMatchObject({ exitCode: 0 })
  const token = /^ {2}Token +(oct_\S+)/m.exec(first.stdout)?.[1] ?? ''
  if (!env['DATABASE_URL']) expect(first.stdout).toContain('The server is not running. Start it with: npm start')
  const server = await startServerProcess(env)
  expect(server.stdout.match(/^ {2}Site +\S+$/gm)).toHaveLength(2)
  const address = new URL(new URL(publishedAt(first)).pathname, server.url)
  expect(await (await fetch(address)).text()).toContain('Acme handbook')
  expect(await server.api(token).getSpaceById({ params: { spaceId: idIn(first, 'Space') } })).toMatchObject({
    title: 'Acme handbook',
  })
})

test('creates and lists spaces and sites, and later starts print the URLs of the sites', async () => {
  const env = await homeForTest()
  const first = await startServerProcess(env)
  const spaceId = (await runCommand(['space', 'create', '--title', 'Recipes'], env)).stdout.trim()
  const spaces = await runCommand(['space', 'list'], env)
  expect(spaces.stdout).toMatch(new RegExp(`^ID +TITLE[^]*^${spaceId}  Recipes  `, 'm'))
  const empty = (await runCommand(['space', 'create', '--title', 'Empty', '--empty'], env)).stdout.trim()
  const pages = async (id: string) => (await first.api().listPages({ params: { spaceId: id } })).pages.length
  expect([await pages(spaceId), await pages(empty)]).toEqual([1, 0])
  const created = await runCommand(['site', 'create', '--title', 'Cook book', '--spaces', spaceId, '--publish'], env)
  expect(created).toMatchObject({ exitCode: 0 })
  const siteId = created.stdout.trim()
  const draft = (await runCommand(['site', 'create', '--title', 'Not yet'], env)).stdout.trim()
  const sites = await runCommand(['site', 'list'], env)
  const address = new RegExp(`^${siteId}  Cook book +\\S+ +public +yes +(\\S+)$`, 'm').exec(sites.stdout)?.[1] ?? ''
  expect(address.startsWith(first.url)).toBe(true)
  expect((await fetch(address)).status).toBe(200)
  expect(sites.stdout).toMatch(new RegExp(`^${draft}  Not yet +\\S+ +public +no `, 'm'))
  // Publishing to a site without spaces creates a space for it.
  const folder = folderForTest(files)
  const filled = await runCommand(['publish', folder, '--site', draft], env)
  expect(filled).toMatchObject({ exitCode: 0 })
  expect(await (await fetch(publishedAt(filled))).text()).toContain('Acme handbook')
  const more = ['One', 'Two', 'Three', 'Four'].map((title) => ['site', 'create', '--title', title, '--publish'])
  await Promise.all(more.map((words) => runCommand(words, env)))
  first.kill('SIGTERM')
  await first.ended

  const second = await startServerProcess(env)
  expect(second.stdout.match(/^ {2}Site +\S+$/gm)).toHaveLength(5)
  expect(second.stdout).toContain('/cook-book/\n')
  expect(second.stdout).toMatch(/^ {12}and 2 more: npm run octavo -- site list$/m)
})

test('publish rejects invalid arguments with a message that explains them and creates nothing', async () => {
  const env = await homeForTest()
  const server = await startServerProcess(env)
  const api = server.api()
  const { items } = await api.listOrganizationsForAuthenticatedUser({})
  const organizationId = items[0]?.id ?? ''
  const folder = folderForTest(files)
  const one = (await runCommand(['space', 'create', '--title', 'One'], env)).stdout.trim()
  const two = (await runCommand(['space', 'create', '--title', 'Two'], env)).stdout.trim()
  const both = (
    await runCommand(['site', 'create', '--title', 'Both', '--spaces', `${one}, ${two}`], env)
  ).stdout.trim()
  await runCommand(['site', 'create', '--title', 'Again', '--spaces', one], env)
  const counts = async () => [
    (await api.listSpacesInOrganizationById({ params: { organizationId } })).count,
    (await api.listSites({ params: { organizationId } })).count,
  ]
  const before = await counts()
  const wrong: [words: string[], exitCode: number, told: RegExp][] = [
    [['publish', join(folder, 'absent')], 1, /The folder or file .*absent does not exist\n$/],
    [['publish', folderForTest({ 'notes.txt': 'x' })], 1, /No Markdown files were found; nothing was published\n$/],
    [
      ['publish', folder, '--site', 'none'],
      1,
      /The site none does not exist in the organization\. Available:\n[^]*  Both\n/,
    ],
    [['publish', folder, '--space', 'none'], 1, /The space none does not exist\. Available:\n[^]*  Two\n/],
    [['publish', folder, '--organization', 'none'], 1, /The organization none does not exist\. Available:\n/],
    [['publish', folder, '--site', both], 1, /several spaces\. Choose one with --space:\n  \w+  One\n  \w+  Two\n$/],
    [['publish', folder, '--space', one], 1, /Several sites contain the space\. Choose one with --site: \w+, \w+\n$/],
    [['publish', folder, '--title', 'x'], 2, /--title must have 2 to 128 characters/],
    [['publish', folder, '--titel', 'x'], 2, /Unknown option '--titel'\. Did you mean --title\?/],
    [
      ['site', 'create', '--title', 'X y', '--spaces', 'none'],
      1,
      /The space none does not exist in the organization\./,
    ],
  ]
  const outcomes = await Promise.all(wrong.map(([words]) => runCommand(words, env)))
  outcomes.forEach((outcome, index) => {
    const [, exitCode, told] = wrong[index] as (typeof wrong)[number]
    expect(outcome).toMatchObject({ exitCode, stdout: '' })
    expect(outcome.stderr).toMatch(told)
  })
  expect(await counts()).toEqual(before)

  const admin = (await api.getAuthenticatedUser({})).email ?? ''
  await runCommand(['org', 'create', '--title', 'Second', '--admin', admin], env)
  const unclear = await runCommand(['publish', folder], env)
  expect(unclear).toMatchObject({ exitCode: 1, stdout: '' })
  expect(unclear.stderr).toMatch(/several organizations\. Choose one with --organization\. Available:\n[^]*  Second\n$/)
  // --organization is not needed when the site and space are given.
  expect(await runCommand(['publish', folder, '--site', both, '--space', two], env)).toMatchObject({ exitCode: 0 })
})
