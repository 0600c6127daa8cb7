import { expect, test } from 'vitest'
import { editLive, emptySpace } from '../support/content.ts'
import { exportTo, importFrom, createSpaceReader } from '../support/git.ts'
import type { GitServer } from '../support/git-server.ts'
import { gitServersForFile } from '../support/git-servers.ts'
import { publishSpaces } from '../support/published-sites.ts'
import { waitUntilSearchable } from '../support/search.ts'
import type { TestServer } from '../support/server.ts'

// Titles of SUMMARY.md from import to export: on a site, in search results, and after a commit renames them.

let octavo: TestServer
let server: GitServer

gitServersForFile((started) => ({ octavo, server } = started))

const files = {
  'README.md': '# Welcome to the handbook\n\nSee [that page](linux/README.md "mention").\n',
  'linux/README.md': '# Prerequisites\n\nYou need a kernel. [Here](./) and [up](../).\n',
  'linux/debian.md': '# Prerequisites\n\nYou need an archive keyring.\n',
  'linux.md': '# Not listed\n',
  'secret.md': '---\nhidden: true\n---\n\n# Secret\n',
  'SUMMARY.md': `# Table of contents

* [Home](README.md)

## Install

* [Install on Linux](linux/README.md)
  * [Install on Debian](linux/debian.md)

## Nothing here

## Only hidden

* [Secret](secret.md)
`,
}

const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, '\n').replaceAll(/\n+/g, '\n')

test('shows SUMMARY.md titles in navigation, lists and links, and page headings on the pages', async () => {
  const repository = server.repository('titles')
  const first = repository.commit(files)
  const spaceId = await emptySpace(octavo.admin)
  expect(await importFrom(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success', commit: first })
  const { base } = await publishSpaces(octavo, [spaceId])
  await waitUntilSearchable(octavo, spaceId)
  const read = async (path: string) => (await fetch(new URL(path, base))).text()

  const linux = await read('install/linux')
  expect(linux).toMatch(/<h1[^>]*>Prerequisites<\/h1>/)
  expect(linux).toMatch(/<title>Prerequisites \|/)
  expect(linux).not.toContain('Nothing here')
  expect(linux).not.toContain('Only hidden')
  expect(textOf(linux)).toContain('\nInstall on Linux\n')
  expect(textOf(linux)).toContain('\nInstall on Debian\n')
  expect(linux).toMatch(/rel="next"[^>]*>.*?Install on Debian/)
  expect(linux).toMatch(/rel="prev"[^>]*>.*?Home</)
  const debian = await read('install/linux/debian')
  expect(/<ol class="crumbs">.*?<\/ol>/.exec(debian)?.[0]).toContain('>Install on Linux<')
  expect(await read('')).toMatch(/<a[^>]*href="[^"]*install\/linux"[^>]*>(?:<[^>]+>)*Install on Linux/)
  expect(await read('llms.txt')).toContain('[Install on Debian](')
  const found = await read('~search?q=install+debian')
  expect(textOf(found)).toContain('\nInstall on Debian\n')
  const { items } = await octavo.admin.api.searchSpaceContent({ params: { spaceId }, query: { query: 'keyring' } })
  expect(items[0]).toMatchObject({ title: 'Install on Debian' })

  const { idAt } = createSpaceReader(octavo, spaceId)
  const id = await idAt('install/linux')
  expect(await exportTo(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success', commit: first })
  repository.commit({
    'SUMMARY.md': files['SUMMARY.md'].replaceAll('linux/', 'unix/').replace('Install on Linux', 'Install on Unix'),
    'linux/README.md': undefined,
    'linux/debian.md': undefined,
    'unix/README.md': files['linux/README.md'],
    'unix/debian.md': files['linux/debian.md'],
  })
  expect(await importFrom(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success' })
  expect(await idAt('install/unix')).toBe(id)
  const moved = await fetch(new URL('install/linux', base))
  expect(moved.url).toMatch(/\/install\/unix$/)
  expect(textOf(await moved.text())).toContain('\nInstall on Unix\n')

  await editLive(octavo.admin, spaceId, {
    operation: 'update_page',
    page: id,
    title: 'Before you begin',
    linkTitle: 'Unix',
  })
  const before = repository.tip() ?? ''
  expect(await exportTo(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success' })
  expect(repository.git(['diff', '--name-only', before, 'main'])).toBe('SUMMARY.md\nunix/README.md\n')
  expect(repository.read('unix/README.md')).toContain('# Before you begin\n')
  expect(repository.read('SUMMARY.md')).toContain('* [Unix](unix/README.md)\n')
})
