import { existsSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../support/command.ts'
import { folderForTest, readFiles, writeFiles } from '../support/disk.ts'
import { runOctavo, startOctavo } from '../support/process.ts'
import { waitUntil } from '../support/server.ts'
import { type TestEngine, engineForTest, startDeeplEngine } from '../support/translation-engines.ts'
import { reverseWords } from '../support/translations.ts'

const guide = {
  '.gitbook.yaml': 'root: ./\n',
  'README.md': '# Welcome\n\nSee [how to install](guide/install.md) it.\n',
  'SUMMARY.md': '# Table of contents\n\n* [Welcome](README.md)\n\n## Guide\n\n* [Install](guide/install.md)\n',
  'guide/install.md': '# Install\n\n<!-- A comment -->\n\nOne text.\n\n* Another text.\n\n```\nsome code\n```\n',
  '.gitbook/assets/logo.png': Buffer.from('89504e470d0a1a0a', 'hex'),
}

/** A folder with a guide, and an engine that reverses words. */
async function translatedFolder(files: Record<string, string | Uint8Array> = guide) {
  const engine = await engineForTest(startDeeplEngine())
  engine.translateWith(reverseWords)
  const source = folderForTest(files)
  const target = join(dirname(source), `${basename(source)}-fr`)
  onTestFinished(() => rmSync(target, { recursive: true, force: true }))
  const env = engineEnv(engine)
  const args = ['translate', source, '--to', 'fr']
  let taken = 0
  return {
    engine,
    source,
    target,
    env,
    args,
    run: (...more: string[]) => runCommand([...args, ...more], env),
    /** Returns the files of the translated folder without the state. */
    read() {
      const entries = Object.entries(readFiles(target))
      return Object.fromEntries(entries.filter(([path]) => !path.startsWith('.octavo-translation')))
    },
    /** Returns the texts that were sent since the last call. */
    takeSentTexts() {
      const texts = engine.requests.flatMap((request) => request.texts)
      return texts.slice(taken, (taken = texts.length))
    },
  }
}

const engineEnv = ({ url }: TestEngine) => ({
  OCTAVO_TRANSLATION: 'deepl',
  OCTAVO_TRANSLATION_URL: url,
  OCTAVO_TRANSLATION_KEY: 'key',
})

const stateFile = '.octavo-translation.jsonl.gz'

test('translates a folder into the folder beside it, and keeps everything that is not text', async () => {
  const folder = await translatedFolder()
  const dryRun = await folder.run('--dry-run')
  expect(dryRun.stdout).toBe(
    `3 pages would be translated into ${folder.target}: 6 texts with 77 characters would be sent.\n`,
  )
  expect(folder.takeSentTexts()).toEqual([])
  expect(existsSync(folder.target)).toBe(false)

  const { exitCode, stdout, stderr } = await runOctavo(folder.args, folder.env)
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(stdout).toContain('6 texts with 77 characters were sent. Wrote 5 files and removed 0')
  expect(folder.takeSentTexts()).toHaveLength(6)
  expect(folder.read()).toEqual({
    '.gitbook.yaml': 'root: ./\n',
    'README.md': '# emocleW\n\neeS [woh ot llatsni](guide/install.md) ti.\n',
    'SUMMARY.md':
      '# Table of contents\n\n* [emocleW](README.md)\n\n## ediuG <a href="#guide" id="guide"></a>\n\n* [llatsnI](guide/install.md)\n',
    'guide/install.md': '# llatsnI\n\n<!-- A comment -->\n\nenO txet.\n\n* rehtonA txet.\n\n```\nsome code\n```\n',
    '.gitbook/assets/logo.png': guide['.gitbook/assets/logo.png'].toString('latin1'),
  })

  const before = readFiles(folder.target)
  const again = await folder.run()
  expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('0 texts') })
  expect(readFiles(folder.target)).toEqual(before)
  expect(folder.takeSentTexts()).toEqual([])
})

test('sends only what has changed, and writes only the files with these texts', async () => {
  const folder = await translatedFolder()
  await folder.run()
  folder.takeSentTexts()
  const before = folder.read()
  writeFiles(folder.source, { 'guide/install.md': guide['guide/install.md'].replace('Another text', 'A new text') })
  const { exitCode, stdout } = await folder.run()
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Wrote 1 file ') })
  expect(folder.takeSentTexts()).toEqual(['A new text.'])
  expect(folder.read()).toEqual({
    ...before,
    'guide/install.md': before['guide/install.md']?.replace('rehtonA txet', 'A wen txet'),
  })
})

test('keeps what people changed, and lists the texts whose source has changed since', async () => {
  const folder = await translatedFolder()
  await folder.run()
  const edited = folder.read()['guide/install.md']?.replace('enO txet.', 'Un texte.') ?? ''
  writeFiles(folder.target, { 'guide/install.md': edited, 'README.md': '# Bienvenue\n\nVoyez.\n' })
  expect(await folder.run()).toMatchObject({ exitCode: 0 })
  expect(folder.read()).toMatchObject({ 'guide/install.md': edited, 'README.md': '# Bienvenue\n\nVoyez.\n' })

  writeFiles(folder.source, {
    'guide/install.md': guide['guide/install.md'].replace('One text', 'One new text').replace('Another', 'No'),
  })
  const { exitCode, stdout } = await folder.run()
  expect(exitCode).toBe(3)
  expect(stdout.split('\n')[0]).toBe(
    'guide/install.md:1  The source of a text that people edited has changed: “One new text.”. The edited text was kept: “Un texte.”. The engine translates: “enO wen txet.”',
  )
  expect(folder.read()['guide/install.md']).toBe(edited.replace('rehtonA', 'oN'))
  expect(await folder.run()).toMatchObject({ exitCode: 0 })
  expect(folder.read()['guide/install.md']).toBe(edited.replace('rehtonA', 'oN'))
})

test('follows the structure of the source: new, moved and removed files', async () => {
  const folder = await translatedFolder()
  await folder.run()
  rmSync(join(folder.source, 'README.md'))
  rmSync(join(folder.source, '.gitbook/assets/logo.png'))
  writeFiles(folder.source, {
    'SUMMARY.md': '# Table of contents\n\n* [Install](guide/install.md)\n  * [Upgrade it](More/Upgrade.md)\n',
    'More/Upgrade.md': '---\nunknown: kept\n---\n\n# Upgrade it\n\n![A picture](../.gitbook/assets/new.png)\n',
    '.gitbook/assets/new.png': Buffer.from('89504e470d0a1a0a00', 'hex'),
  })
  expect(await folder.run()).toMatchObject({ exitCode: 0 })
  const files = folder.read()
  expect(Object.keys(files)).toEqual([
    '.gitbook.yaml',
    '.gitbook/assets/new.png',
    'More/Upgrade.md',
    'SUMMARY.md',
    'guide/install.md',
  ])
  expect(files['SUMMARY.md']).toBe(
    '# Table of contents\n\n* [llatsnI](guide/install.md)\n  * [edargpU ti](More/Upgrade.md)\n',
  )
  expect(files['More/Upgrade.md']).toBe(
    '---\nunknown: kept\n---\n\n# edargpU ti\n\n<figure><img src="../.gitbook/assets/new.png" alt="A erutcip"><figcaption></figcaption></figure>\n',
  )
})

test('uses the glossary, and lists texts without a usable translation until they have one', async () => {
  const folder = await translatedFolder({ 'README.md': '# Home\n\nOpen the workspace now.\n' })
  const files = folderForTest({ 'terms.yaml': '- { en: workspace, fr: espace }\n', 'bad.yaml': '- { en: 1 }\n' })
  const { exitCode, stdout } = await folder.run('--glossary', join(files, 'terms.yaml'))
  expect(exitCode).toBe(3)
  expect(stdout).toContain('README.md:1  “Open the workspace now.”: The glossary translates “workspace” as “espace”\n')
  expect(await folder.run('--glossary', join(files, 'bad.yaml'))).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('is invalid: it must be a list of terms'),
  })

  writeFiles(folder.source, { 'README.md': '# Home\n\nClose the workspace.\n' })
  folder.engine.translateWith((text) => (text.startsWith('Close') ? '' : reverseWords(text)))
  const failed = await folder.run()
  expect(failed).toMatchObject({
    exitCode: 3,
    stdout: expect.stringContaining('Not translated: “Close the workspace.”'),
  })
  expect(folder.read()['README.md']).toContain('Close the workspace.')
  folder.engine.translateWith(reverseWords)
  expect(await folder.run()).toMatchObject({ exitCode: 0 })
  expect(folder.read()['README.md']).toContain('esolC eht ecapskrow.')
})

test('continues an interrupted run without sending a text twice', async () => {
  const pages = Array.from({ length: 60 }, (_, page) => [`page-${page}.md`, `# Page ${page}\n\nThe text of ${page}.\n`])
  const folder = await translatedFolder(Object.fromEntries(pages) as Record<string, string>)
  let release: (() => void) | undefined
  folder.engine.translateWith((text) => {
    // Later requests get no reply.
    if (text === 'The text of 30.') release = folder.engine.hold()
    return reverseWords(text)
  })
  const interrupt = async (requests: number, signal: 'SIGINT' | 'SIGKILL') => {
    const started = startOctavo(folder.args, folder.env)
    await waitUntil(async () => folder.engine.requests.length === requests, 'a request without a reply')
    started.kill(signal)
    const result = await started.ended
    expect(folder.read()).toEqual({})
    return result
  }
  expect(await interrupt(3, 'SIGINT')).toMatchObject({
    exitCode: 1,
    stderr: '80 translated texts stored. The next run continues there.\noctavo translate: was interrupted\n',
  })
  expect(await interrupt(4, 'SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
  release?.()
  expect(await folder.run()).toMatchObject({ exitCode: 0 })
  expect(Object.keys(folder.read())).toHaveLength(60)
  const [first = [], second = [], ...retried] = folder.engine.requests.map(({ texts }) => texts)
  expect(new Set([...first, ...second]).size).toBe(80)
  expect(retried.map(({ length }) => length)).toEqual([40, 40, 40])
  expect(retried.flat().some((text) => first.includes(text) || second.includes(text))).toBe(false)
  expect(existsSync(join(folder.target, '.octavo-translation.partial.jsonl'))).toBe(false)
})

test('refuses folders that it must not write to, and explains what is missing', async () => {
  const folder = await translatedFolder()
  writeFiles(folder.target, { 'README.md': '# Somebody wrote this\n' })
  expect(await folder.run()).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/nothing was written, because the folder contains other files.*\n {2}README\.md\n/),
  })
  expect(folder.read()).toEqual({ 'README.md': '# Somebody wrote this\n' })

  const empty = folderForTest({ 'notes.txt': 'No pages.\n' })
  const target = folderForTest()
  const run = (args: string[], env: Record<string, string> = folder.env) => runCommand(['translate', ...args], env)
  const wrong: [args: string[], exitCode: number, message: string][] = [
    [[folder.source], 2, '--to is missing'],
    [[folder.source, '--to', 'klingon'], 2, '--to must be one of these languages: en, '],
    [[folder.source, '--to', 'en', '--out', target], 1, '--from and --to must be different'],
    [[folder.source, '--to', 'fr', '--out', join(folder.source, 'fr')], 2, 'must not contain each other'],
    [[join(empty, 'absent'), '--to', 'fr', '--out', target], 1, 'does not exist'],
    [[empty, '--to', 'fr', '--out', target], 1, 'No pages were found in'],
    [[folder.source, '--to', 'fr', '--out', join(empty, 'notes.txt')], 1, 'is not a folder'],
  ]
  for (const [args, exitCode, message] of wrong)
    expect(await run(args)).toMatchObject({ exitCode, stderr: expect.stringContaining(message) })
  expect(await run([folder.source, '--to', 'fr', '--out', target], {})).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('No translation engine is configured. Set OCTAVO_TRANSLATION'),
  })
  expect(readFiles(target)).toEqual({})

  expect(await run([folder.source, '--to', 'fr', '--out', target])).toMatchObject({ exitCode: 0 })
  expect(await run([folder.source, '--to', 'de', '--out', target])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('contains a translation from en into fr'),
  })
  writeFiles(target, { [stateFile]: 'broken' })
  expect(await run([folder.source, '--to', 'fr', '--out', target])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(`${stateFile} of the translated folder cannot be read`),
  })
})
