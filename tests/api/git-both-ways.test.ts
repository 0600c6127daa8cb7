import { expect, test } from 'vitest'
import { gitServersForFile } from '../support/git-servers.ts'
import { editLive, emptySpace, insertPage, propose, readLive, updatePage, writePage } from '../support/content.ts'
import { exportTo, importFrom, isPush, manualFiles, createSpaceReader } from '../support/git.ts'
import { type GitServer } from '../support/git-server.ts'
import { type TestServer } from '../support/server.ts'

let octavo: TestServer
let server: GitServer

gitServersForFile((started) => ({ octavo, server } = started))

/** Creates a space with the manual imported from a new repository. */
async function inStep() {
  const repository = server.newRepository()
  const first = repository.commit(manualFiles)
  const spaceId = await emptySpace(octavo.admin)
  const change = (...changes: Parameters<typeof editLive>[2][]) => editLive(octavo.admin, spaceId, ...changes)
  const sync = {
    import: () => importFrom(octavo.admin, spaceId, repository),
    export: () => exportTo(octavo.admin, spaceId, repository),
  }
  expect(await sync.import()).toMatchObject({ state: 'success' })
  return { repository, first, spaceId, change, ...sync, space: createSpaceReader(octavo, spaceId) }
}

test('exports created, moved, renamed and deleted pages as files and entries of SUMMARY.md', async () => {
  const { repository, change, space, ...sync } = await inStep()
  const install = await space.idAt('guide/install')
  const home = await space.idAt('readme')
  const [faq = ''] = await change(insertPage('# FAQ\n\nSee [how](/guide/install).\n'))
  await change(updatePage(install, { slug: 'set-up', title: 'Set up' }))
  await change(updatePage(install, { into: null, at: 1 }))
  await change(writePage(faq, `# FAQ\n\nSee [how](/pages/${install}).\n`))
  expect(await sync.export()).toMatchObject({ state: 'success' })
  const files = repository.list().map((line) => line.slice(7))
  expect(files).toContain('faq.md')
  expect(files).not.toContain('guide/install.md')
  const moved = files.find((path) => path.endsWith('set-up.md')) ?? ''
  expect(repository.read('faq.md')).toBe(`# FAQ\n\nSee [how](${moved}).\n`)
  expect(repository.read('SUMMARY.md')).toBe(
    `# Summary\n\n* [Home](README.md)\n* [Set up](${moved})\n* [Guide](guide/README.md)\n* [FAQ](faq.md)\n`,
  )
  expect(repository.read('guide/README.md')).toBe(manualFiles['guide/README.md'])
  const revision = await space.revision()
  expect(await sync.import()).toMatchObject({ state: 'success' })
  expect(await space.revision()).toBe(revision)

  await change({ operation: 'delete_page', page: faq })
  expect(await sync.export()).toMatchObject({ state: 'success' })
  expect(repository.list().join()).not.toContain('faq.md')
  expect(repository.read('LICENSE')).toBe('MIT\n')
  // An import into an empty space creates the same pages.
  const copy = await emptySpace(octavo.admin)
  await importFrom(octavo.admin, copy, repository)
  expect(await createSpaceReader(octavo, copy).titles()).toEqual(await space.titles())
  expect(await space.idAt('readme')).toBe(home)
})

test('a page edited in the space and deleted in the repository becomes a conflict in a change request', async () => {
  const { repository, change, spaceId, space, ...sync } = await inStep()
  await change(writePage(await space.idAt('guide/install'), '# Install\n\nImproved here.\n'))
  repository.commit({
    'guide/install.md': undefined,
    'SUMMARY.md': '# Summary\n\n* [Home](README.md)\n* [Guide](guide/README.md)\n',
  })
  const failed = await sync.import()
  expect(failed).toMatchObject({ state: 'failure', errorAction: { url: expect.stringContaining(spaceId) } })
  expect(await space.markdownAt('guide/install')).toContain('Improved here.')
  const params = { spaceId, changeRequestId: failed.changeRequest ?? '' }
  const request = await octavo.admin.api.getChangeRequestById({ params })
  expect(request).toMatchObject({
    status: 'open',
    subject: expect.stringContaining(repository.tip()?.slice(0, 8) ?? ''),
  })
  expect((await octavo.admin.api.listChangeRequestConflicts({ params, query: {} })).count).toBeGreaterThan(0)
  // Exports fail until the change request is merged or archived.
  expect(await sync.export()).toMatchObject({ state: 'failure', changeRequest: failed.changeRequest })

  await octavo.admin.api.updateChangeRequestById({ params, body: { status: 'archived' } })
  await change(writePage(await space.idAt('guide/install'), manualFiles['guide/install.md']))
  expect(await sync.import()).toMatchObject({ state: 'success' })
  expect(await space.titles()).toEqual(['Home', 'Guide'])
  await expect(space.idAt('guide/install')).rejects.toMatchObject({ status: 404 })
})

test('merges commits that are pushed during an export, and pushes again on top of them', async () => {
  const { repository, change, space, ...sync } = await inStep()
  await change(writePage(await space.idAt('guide/install'), '# Install\n\nEdited here.\n'))
  let pushes = 0
  server.options.intercept = (request) => {
    if (isPush(request) && pushes++ < 2) {
      repository.commit({ 'README.md': `# Home\n\nPushed ${pushes}.\n` }, { message: `Push ${pushes}` })
    }
    return false
  }
  const exported = await sync.export()
  delete server.options.intercept
  expect(exported).toMatchObject({ state: 'success', commit: repository.tip() })
  expect(pushes).toBe(3)
  expect(repository.log()).toEqual(['Export', 'Push 2', 'Push 1', 'Change'])
  expect(repository.read('README.md')).toBe('# Home\n\nPushed 2.\n')
  expect(repository.read('guide/install.md')).toBe('# Install\n\nEdited here.\n')
  expect(await space.markdownAt('readme')).toContain('Pushed 2.')
})

test('exports to an empty repository or a new branch, and to a branch with unrelated pages only with force', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const repository = server.newRepository()
  expect(await exportTo(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success' })
  expect(repository.tip()).toBeUndefined()

  const [home = ''] = await editLive(octavo.admin, spaceId, insertPage('# Welcome\n\nHello.\n'), insertPage('# Next\n'))
  const made = await exportTo(octavo.admin, spaceId, repository, { commitMessage: 'First' })
  expect(made).toMatchObject({ state: 'success', commit: repository.tip() })
  expect(repository.read('README.md')).toBe('# Welcome\n\nHello.\n')
  const revision = await createSpaceReader(octavo, spaceId).revision()
  expect(await importFrom(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success' })
  expect(await createSpaceReader(octavo, spaceId).revision()).toBe(revision)

  // Creates a missing branch, and continues a branch that started at an exported commit.
  const branch = { ref: 'refs/heads/drafts/one' }
  expect(await exportTo(octavo.admin, spaceId, repository, branch)).toMatchObject({ state: 'success' })
  expect(repository.read('README.md', 'drafts/one')).toBe('# Welcome\n\nHello.\n')
  repository.git(['branch', 'begun', 'drafts/one'])
  repository.commit({ 'next.md': '# Next\n\nFrom there.\n' }, { branch: 'begun' })
  await editLive(octavo.admin, spaceId, writePage(home, '# Welcome\n\nHello again.\n'))
  expect(await exportTo(octavo.admin, spaceId, repository, { ref: 'refs/heads/begun' })).toMatchObject({
    state: 'success',
  })
  expect(repository.read('README.md', 'begun')).toBe('# Welcome\n\nHello again.\n')
  expect(repository.read('next.md', 'begun')).toBe('# Next\n\nFrom there.\n')
  expect((await readLive(octavo.admin, spaceId, home)).markdown).toContain('again')

  const foreign = server.newRepository()
  const theirs = foreign.commit({ 'README.md': '# Theirs\n', LICENSE: 'MIT\n' })
  const before = await createSpaceReader(octavo, spaceId).revision()
  expect(await exportTo(octavo.admin, spaceId, foreign)).toMatchObject({
    state: 'failure',
    error: expect.stringMatching(
      /^The branch has 1 page.* were not exported from this space\. Import the branch first/,
    ),
  })
  expect(foreign.tip()).toBe(theirs)
  expect(await createSpaceReader(octavo, spaceId).revision()).toBe(before)
  expect(await exportTo(octavo.admin, spaceId, foreign, { force: true })).toMatchObject({ state: 'success' })
  expect(foreign.read('README.md')).toBe('# Welcome\n\nHello again.\n')
  expect(foreign.read('LICENSE')).toBe('MIT\n')
  expect(foreign.git(['rev-parse', 'main^']).trim()).toBe(theirs)
})

test('an export of an empty space commits nothing and warns about it', async () => {
  const repository = server.newRepository()
  const spaceId = await emptySpace(octavo.admin)
  const warnings = [{ file: '', message: 'The space has no pages, so nothing was committed' }]
  const exported = await exportTo(octavo.admin, spaceId, repository)
  expect(exported).toMatchObject({ state: 'success', warningCount: 1, warnings })
  expect(exported).not.toHaveProperty('commit')
  expect(repository.tip()).toBeUndefined()
  // A branch without pages is not changed.
  const tip = repository.commit({ LICENSE: 'MIT\n' })
  expect(await exportTo(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success', commit: tip, warnings })
  expect(repository.tip()).toBe(tip)

  // An export without changes has no warning when the space has pages.
  await editLive(octavo.admin, spaceId, insertPage('# Page\n'))
  expect(await exportTo(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success', warningCount: 0 })
  expect(await exportTo(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success', warningCount: 0 })
})

test('exports unedited files byte for byte to a different repository', async () => {
  const { repository, change, spaceId, space } = await inStep()
  await change(writePage(await space.idAt('guide/install'), '# Install\n\nEdited here.\n'))
  const other = server.newRepository()
  expect(await exportTo(octavo.admin, spaceId, other)).toMatchObject({ state: 'success' })
  expect(other.read('guide/README.md')).toBe(manualFiles['guide/README.md'])
  expect(other.read('SUMMARY.md')).toBe(manualFiles['SUMMARY.md'])
  expect(other.read('guide/install.md')).toBe('# Install\n\nEdited here.\n')
  expect(repository.read('guide/install.md')).toBe(manualFiles['guide/install.md'])
  const revision = await space.revision()
  expect(await importFrom(octavo.admin, spaceId, other)).toMatchObject({ state: 'success' })
  expect(await space.revision()).toBe(revision)
})

test('a first import matches existing pages by path, and open change requests can still be merged', async () => {
  const spaceId = await emptySpace(octavo.admin)
  const [home = '', guide = ''] = await editLive(
    octavo.admin,
    spaceId,
    insertPage('# Home\n\nOld.\n', { slug: 'readme' }),
    insertPage('# Guide\n\nOld.\n', { slug: 'guide' }),
  )
  const [install = ''] = await editLive(
    octavo.admin,
    spaceId,
    insertPage('# Install\n\nOld.\n', { slug: 'install', into: guide }),
  )
  const repository = server.newRepository()
  repository.commit(manualFiles)
  expect(await importFrom(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success' })
  const space = createSpaceReader(octavo, spaceId)
  expect(await space.idAt('guide')).toBe(guide)
  expect(await space.idAt('readme')).toBe(home)
  expect(await space.idAt('guide/install')).toBe(install)

  const proposal = await propose(octavo.admin, spaceId, 'Better home')
  await proposal.edit(writePage(home, '# Home\n\nSee [the guide](/guide), now.\n'))
  repository.commit({
    'guide/install.md': undefined,
    'guide/set-up.md': manualFiles['guide/install.md'],
    'SUMMARY.md': manualFiles['SUMMARY.md'].replace('install.md', 'set-up.md'),
  })
  await importFrom(octavo.admin, spaceId, repository)
  expect(await proposal.merge()).toMatchObject({ result: 'merge' })
  expect(await space.idAt('guide/set-up')).toBe(install)
  expect(await exportTo(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success' })
  expect(repository.git(['diff', '--name-only', 'main^', 'main'])).toBe('README.md\n')
})
