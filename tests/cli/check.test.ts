import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../support/command.ts'
import { folderForTest } from '../support/disk.ts'
import { runOctavo } from '../support/process.ts'
import { serveWebsite } from '../support/website-server.ts'

/** A repository with one of each kind of content and no problems. */
const whole = {
  '.gitbook.yaml': 'root: ./docs/\nredirects:\n  old/place: guide/install.md\n',
  'docs/README.md':
    '# Welcome\n\nSee [how to install](guide/install.md).\n\n<figure><img src=".gitbook/assets/logo.png" alt=""><figcaption></figcaption></figure>\n',
  'docs/SUMMARY.md':
    '# Table of contents\n\n* [Welcome](README.md)\n\n## Guide\n\n* [Install](guide/install.md)\n* [Elsewhere](https://example.com)\n',
  'docs/guide/install.md': '# Install\n\n{% include "../.gitbook/includes/note.md" %}\n\n1. One\n2. Two\n',
  'docs/.gitbook/includes/note.md': '---\ntitle: A note\n---\n\nMind the gap.\n',
  'docs/.gitbook/assets/logo.png': Buffer.from('89504e470d0a1a0a', 'hex'),
  'docs/.gitbook/vars.yaml': 'product: Octavo\n',
  'node_modules/other/README.md': '# Not ours\n',
}

test('summarizes what an import would create from a folder, without a server or a database', async () => {
  const folder = folderForTest(whole)
  const { exitCode, stdout, stderr } = await runOctavo(['check', folder, '--strict'], {})
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(stdout).toBe(
    [
      `${folder}: 2 pages, 1 group, 1 link, 1 file, 1 reusable content, 1 variable, 1 redirect; 0 warnings`,
      'An export does not change a single byte of files that were not edited.',
      'Printed and parsed again, 3 of 3 texts are equal; already in normal form: 3.',
      '',
    ].join('\n'),
  )
})

test('lists warnings by file and line, fails on them only with --strict, and skips symbolic links to the outside', async () => {
  const elsewhere = folderForTest({ 'secret.md': '# Secret\n' })
  const folder = folderForTest({
    'README.md': '# Home\n\nWords.\n\nA [link](missing.md), and [another](sub/gone.md).\n',
    'b.md': 'No title, *other* delimiters_\n\n* [x](../outside.md)\n',
    'a\u001b[31m.md': '# Red\n\n[gone](nowhere.md)\n',
  })
  symlinkSync(join(elsewhere, 'secret.md'), join(folder, 'secret.md'))
  symlinkSync(elsewhere, join(folder, 'outside'))
  symlinkSync(join(folder, 'not-there.md'), join(folder, 'dangling.md'))
  symlinkSync('README.md', join(folder, 'inside.md'))
  const [lenient, strict, json] = await Promise.all([
    runCommand(['check', folder], {}),
    runCommand(['check', '--strict', folder], {}),
    runCommand(['check', '--json', folder], {}),
  ])
  expect(lenient).toMatchObject({ exitCode: 0, stderr: '' })
  expect(strict).toMatchObject({ exitCode: 1, stdout: lenient.stdout })
  const [warnings = '', summary = ''] = lenient.stdout.split('\n\n')
  expect(warnings.split('\n')).toEqual([
    'README.md:5  Broken link: missing.md',
    'README.md:5  Broken link: sub/gone.md',
    'a\ufffd[31m.md:3  Broken link: nowhere.md',
    'b.md:3  Broken link: ../outside.md',
    'dangling.md:1  could not be read (ENOENT) and was skipped',
    'inside.md:5  Broken link: missing.md',
    'inside.md:5  Broken link: sub/gone.md',
    'outside:1  is a symbolic link to a path outside the folder and was skipped',
    'secret.md:1  is a symbolic link to a path outside the folder and was skipped',
  ])
  expect(summary).toContain('4 pages, 0 groups, 0 links, 0 files')
  expect(lenient.stdout).not.toContain('Secret')
  expect(JSON.parse(json.stdout)).toMatchObject({
    pages: 4,
    groups: 0,
    roundTrip: { changed: [], texts: 4, same: 4, normal: 3, lost: [] },
    warnings: expect.arrayContaining([{ file: 'README.md', line: 5, message: 'Broken link: missing.md' }]),
  })
})

test('explains why a path cannot be checked: missing, not a folder, no pages, or an invalid --directory', async () => {
  const folder = folderForTest({ 'notes.txt': 'Nothing here.\n' })
  const [missing, file, empty, wrong] = await Promise.all([
    runCommand(['check', join(folder, 'absent')], {}),
    runCommand(['check', join(folder, 'notes.txt')], {}),
    runCommand(['check', folder], {}),
    runCommand(['check', folder, '--directory', '../up'], {}),
  ])
  expect(missing).toMatchObject({
    exitCode: 1,
    stderr: `octavo check: The folder ${join(folder, 'absent')} does not exist\n`,
  })
  expect(file).toMatchObject({ exitCode: 1, stderr: `octavo check: ${join(folder, 'notes.txt')} is not a folder\n` })
  expect(empty).toMatchObject({ exitCode: 1, stderr: `octavo check: No pages were found in ${folder}\n` })
  expect(wrong.exitCode).toBe(2)
})

test('--external requests links once and stores the results in the data folder', async () => {
  const { url, requestedPaths } = await serveWebsite({ '/works': 'Works' })
  const folder = folderForTest({
    'README.md': `# Home\n\n[a](${url}/works)\n\n[b](${url}/gone)\n`,
    'SUMMARY.md': `* [Home](README.md)\n* [Gone](${url}/gone)\n`,
  })
  const data = folderForTest({})
  const env = { OCTAVO_DATA: data, OCTAVO_ALLOW_PRIVATE_NETWORK: '1' }
  const first = await runCommand(['check', folder, '--external', '--strict'], env)
  expect(first).toMatchObject({ exitCode: 1, stderr: '' })
  const warning = `Broken external link: ${url}/gone (The host returned the status 404)`
  expect(first.stdout.split('\n')).toEqual(
    expect.arrayContaining([
      `README.md:5  ${warning}`,
      `SUMMARY.md:2  ${warning}`,
      'External links: 2, of which 2 were requested; 1 broken, 0 not checked.',
    ]),
  )
  expect(requestedPaths).toEqual(['/robots.txt', '/works', '/gone'])
  const second = await runCommand(['check', folder, '--external', '--json'], env)
  expect(JSON.parse(second.stdout)).toMatchObject({ external: { urls: 2, requested: 0, broken: 1, unchecked: [] } })
  expect(requestedPaths).toHaveLength(3)
  const blocked = await runCommand(['check', folder, '--external'], { OCTAVO_DATA: folderForTest({}) })
  expect(blocked.stdout).toContain('2 broken')
  expect(requestedPaths).toHaveLength(3)
})
