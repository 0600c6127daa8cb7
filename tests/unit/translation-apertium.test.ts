import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createFetch } from '../../src/fetch/fetch.ts'
import { createEngine } from '../../src/translators/create-engine.ts'
import type { Language } from '../../src/contract/space.ts'
import { probeEngine } from '../../src/translators/probe-engine.ts'
import { folderForTest } from '../support/disk.ts'
import { waitUntil } from '../support/server.ts'

const fetch = createFetch({ allowPrivateNetwork: false })
const { signal } = new AbortController()

/** Program with the interface of Apertium that translates to upper case, unless Transfuse splits sentences; `BEHAVIOUR` makes it fail. */
const script = `#!${process.execPath}
const fs = require('fs')
const [first, ...others] = process.argv.slice(2)
const behaviour = process.env.BEHAVIOUR
fs.appendFileSync(process.env.CALLS, JSON.stringify([first, ...others]) + '\\n')
const isSplit = process.env.APERTIUM_TRANSFUSE !== 'no'
const translate = (html) => html.replace(/<[^>]*>|&\\w+;|[^<&]+/g, (part) => isSplit || /^[<&]/.test(part) ? part : part.toUpperCase())
if (first === '-l') process.stdout.write(process.env.MODES ?? '  eng-spa\\n  es-pt_BR\\n')
else if (behaviour === 'hang') {
  const child = require('child_process').spawn('sleep', ['1000'], { env: { PATH: '/usr/bin:/bin' } })
  fs.writeFileSync(process.env.CALLS + '.pid', String(child.pid))
  setInterval(() => undefined, 1000)
} else if (behaviour === 'flood') for (;;) fs.writeSync(1, 'x'.repeat(65536))
else if (behaviour === 'fail') { console.error('Error: /usr/share/apertium is broken'); process.exit(3) }
else {
  const html = translate(fs.readFileSync(0, 'utf8'))
  process.stdout.write(behaviour === 'merge' ? html.replace(/<\\/p>\\s*<p id="t1">/, ' ') : html)
}
`

function createTestEngine(variables: Record<string, string> = {}, timeout = 30_000) {
  const folder = folderForTest({ apertium: script })
  chmodSync(join(folder, 'apertium'), 0o755)
  const calls = join(folder, 'calls')
  const environment = { PATH: folder, CALLS: calls, ...variables }
  const settings = { kind: 'apertium', environment } as const
  const engine = createEngine(settings, { fetch, timeout })
  const translate = (texts: string[], target: Language = 'es', source: Language = 'en', until = signal) =>
    engine.translate({ source, target, texts, terms: [], instructions: '', context: '' }, until)
  const readCalls = () =>
    existsSync(calls)
      ? readFileSync(calls, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as string[])
      : []
  const childPid = () => (existsSync(`${calls}.pid`) ? Number(readFileSync(`${calls}.pid`, 'utf8')) : undefined)
  return { settings, translate, readCalls, childPid }
}

const isInstalled = spawnSync('apertium', ['-l'], { encoding: 'utf8' }).stdout?.includes('eng-spa') ?? false

const isRunning = (pid: number): boolean => {
  try {
    // A killed process whose parent has not noticed yet is a zombie.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

describe('Apertium', () => {
  test('translates all texts in one run, with the mode of the languages', async () => {
    const { translate, readCalls } = createTestEngine()
    const texts = ['One <g id="1">two</g>', '<x id="1"/> &lt;three&gt;', '', 'Line\nbreak']
    const reply = await translate(texts)
    expect(reply.texts).toEqual(['ONE <g id="1">TWO</g>', '<x id="1"/> &lt;THREE&gt;', '', 'LINE\nBREAK'])
    expect(reply.characters).toBe(56)
    await translate(['Again'])
    expect(readCalls().map((args) => args.at(-1))).toEqual(['-l', 'eng-spa', 'eng-spa'])
  })

  test('finds packages with codes of two letters and of variants', async () => {
    const { translate, readCalls } = createTestEngine()
    expect((await translate(['uno'], 'pt-br', 'es')).texts).toEqual(['UNO'])
    expect(readCalls().at(-1)?.at(-1)).toBe('es-pt_BR')
  })

  test('rejects languages without a package', async () => {
    const { translate } = createTestEngine()
    await expect(translate(['One'], 'ja')).rejects.toMatchObject({
      failure: 'rejected',
      message: 'No Apertium package that translates English into Japanese is installed on the server',
    })
  })

  test('translates each text in a run of its own if paragraphs are lost', async () => {
    const { translate, readCalls } = createTestEngine({ BEHAVIOUR: 'merge' })
    expect((await translate(['One', 'Two', 'Three'])).texts).toEqual(['ONE', 'TWO', 'THREE'])
    expect(readCalls()).toHaveLength(5)
  })

  test.each([
    ['fail', 'unavailable', 'apertium failed with the code 3'],
    ['flood', 'invalid-reply', 'The output of apertium exceeds the size limit'],
  ])('fails if the program does: %s', async (behaviour, failure, message) => {
    await expect(createTestEngine({ BEHAVIOUR: behaviour }).translate(['One'])).rejects.toMatchObject({
      failure,
      message,
    })
  })

  test('fails if the program is not installed', async () => {
    await expect(createTestEngine({ PATH: '/nowhere' }).translate(['One'])).rejects.toMatchObject({
      failure: 'rejected',
      message: 'apertium cannot be started. Install it on the server',
    })
  })

  test('is killed with its child processes when it takes too long or is cancelled', async () => {
    const late = createTestEngine({ BEHAVIOUR: 'hang' }, 1000)
    await expect(late.translate(['One'])).rejects.toThrow('apertium did not finish in time')

    const cancelled = createTestEngine({ BEHAVIOUR: 'hang' })
    const controller = new AbortController()
    const running = cancelled.translate(['One'], 'es', 'en', controller.signal).catch((error: unknown) => error)
    const pid = await waitUntil(async () => cancelled.childPid(), 'the program runs')
    controller.abort()
    expect(await running).toMatchObject({ failure: 'unavailable', message: 'The translation was cancelled' })
    await waitUntil(async () => !isRunning(pid), 'the child process ends')
  })

  test('is probed with an installed pair, and details of errors are shown', async () => {
    const { settings } = createTestEngine()
    expect(await probeEngine(settings, { fetch })).toBe('apertium translated a text from English into Spanish')
    await expect(probeEngine(createTestEngine({ MODES: 'foo-bar\n' }).settings, { fetch })).rejects.toThrow(
      'Install one, for example apertium-eng-spa',
    )
    const failing = probeEngine(createTestEngine({ BEHAVIOUR: 'fail' }).settings, { fetch, showsDetails: true })
    await expect(failing).rejects.toThrow('apertium failed with the code 3: Error: /usr/share/apertium is broken')
  })
})

const findMarkup = (text: string | undefined) => text?.match(/<[^>]*>|&\w+;|[^\p{L}\s]|^ | $|\n/gu)

test.skipIf(!isInstalled)('the installed Apertium keeps tags, entities and spaces', async () => {
  const environment = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8' }
  const engine = createEngine({ kind: 'apertium', environment }, { fetch })
  const texts = [
    'The <g id="1">white house</g> of the <g id="2">old man</g> is big.',
    'Save <x id="1"/> <g id="2"><g id="3">the file</g></g>',
    'A &amp; B are &lt;fast&gt; [here] {x} ^y$ a/b \\n @it',
    '<x id="1"/>',
    '',
    ' Two\nlines — naïve 日本語 😀\u00a0! ',
  ]
  const request = { source: 'en', target: 'es', terms: [], instructions: '', context: '' } as const
  const reply = await engine.translate({ ...request, texts }, signal)
  expect(reply.texts.map(findMarkup)).toEqual(texts.map(findMarkup))
  expect(reply.texts[0]).toBe('La <g id="1">casa blanca</g> del <g id="2">hombre viejo</g> es grande.')
})
