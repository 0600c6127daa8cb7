import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { afterEach, expect, test } from 'vitest'
import type { Html } from '../../src/render/html.ts'
import { findLanguage } from '../../src/highlight/languages.ts'
import { Highlighter } from '../../src/highlight/highlight.ts'
import { randomInteger, seededRandom } from '../support/random.ts'
import { limitCacheForTest } from '../support/cache.ts'

const long = 20_000
const opened: Highlighter[] = []

function openHighlighter(...limits: ConstructorParameters<typeof Highlighter>): Highlighter {
  const highlighter = new Highlighter(...limits)
  opened.push(highlighter)
  return highlighter
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((highlighter) => highlighter.close()))
})

async function coloured(
  highlighter: Highlighter,
  code: string,
  syntax: string,
): Promise<readonly string[] | undefined> {
  const { highlighted } = await highlighter.highlight([{ code, syntax }], long)
  return highlighted(code, syntax)?.map(String)
}

/** Returns the text of highlighted lines and checks that all markup is spans with a one-letter class. */
function readText(lines: readonly (Html | string)[]): string {
  return lines
    .map((line) => {
      const text = String(line).replace(/<span class="[a-z]">([^<>]*)<\/span>/g, '$1')
      expect(text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/)
      return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
    })
    .join('\n')
}

test('wraps tokens in spans by token class and merges adjacent ones', async () => {
  const highlighter = openHighlighter()
  expect(await coloured(highlighter, 'export const name = "x" // why', 'ts')).toEqual([
    '<span class="k">export const</span> name = <span class="s">"x"</span> <span class="c">// why</span>',
  ])
  expect(await coloured(highlighter, '{"a": [1, "b"]}', 'json')).toEqual([
    '{<span class="a">"a"</span>: [<span class="n">1</span>, <span class="s">"b"</span>]}',
  ])
  expect(await coloured(highlighter, '-old\n+new\n same', 'patch')).toEqual([
    '<span class="d">-old</span>',
    '<span class="i">+new</span>',
    ' same',
  ])
})

test('preserves the text of any code line by line', async () => {
  const pieces = [
    '</span>',
    '<script>',
    '&lt;',
    '&',
    '"',
    "'",
    '`',
    '${',
    '}',
    '{',
    '/*',
    '//',
    '#',
    '\n',
    '\r\n',
    '\t',
    ' ',
  ]
  const words = [
    'const',
    'x',
    '日本',
    '🙂',
    '\u0000',
    '\ud800',
    '<a b="c">',
    '{% if %}',
    '1.5',
    '\\',
    'def f(a):',
    '---',
  ]
  const chance = seededRandom(7)
  const all = [...pieces, ...words]
  const codes = ['js', 'html', 'bash', 'yaml', 'md'].flatMap((syntax) =>
    Array.from({ length: 8 }, () => {
      const parts = Array.from({ length: 60 }, () => all[randomInteger(chance, 0, all.length - 1)])
      return { syntax, code: parts.join('') }
    }),
  )
  const { highlighted, isComplete } = await openHighlighter().highlight(codes, long)
  expect(isComplete).toBe(true)
  for (const { code, syntax } of codes) expect(readText(highlighted(code, syntax) ?? [])).toBe(code)
})

test('recognizes common names and file extensions of languages', () => {
  const written = {
    javascript: ['js', 'JavaScript', 'nodejs', 'language-js', 'js {1,3}', 'js:index.js', '.js', 'index.mjs'],
    shellscript: ['sh', 'shell', 'bash', 'curl', 'zsh'],
    shellsession: ['console', 'shell-session', 'Shell Session'],
    yaml: ['yml', 'docker-compose.yml'],
    cpp: ['c++', 'C++'],
    csharp: ['c#', 'cs', 'csharp'],
    go: ['golang'],
    docker: ['dockerfile', 'Dockerfile'],
    'objective-c': ['objective-c', 'objectivec', 'objc', 'Objective-C'],
    terraform: ['tf', 'terraform'],
    razor: ['cshtml'],
    xml: ['markup', 'svg'],
    dotenv: ['env', '.env'],
    http: ['http'],
    solidity: ['solidity', 'sol'],
  }
  for (const [language, names] of Object.entries(written)) {
    expect(names.map(findLanguage)).toEqual(names.map(() => language))
  }
  for (const name of ['plain', 'text', 'hpkp', '', ' ', '__proto__', 'constructor', 'x'.repeat(10_000), undefined]) {
    expect(findLanguage(name)).toBeUndefined()
  }
})

test('does not wait for code that cannot be highlighted', async () => {
  const codes = [
    { code: 'a', syntax: undefined },
    { code: 'a', syntax: 'hpkp' },
    { code: 'x = 1\n'.repeat(20_000), syntax: 'python' },
  ]
  const { highlighted, isComplete } = await openHighlighter().highlight(codes, 0)
  expect(isComplete).toBe(true)
  expect(codes.map(({ code, syntax }) => highlighted(code, syntax))).toEqual([undefined, undefined, undefined])
})

test('code highlighted too late for one request is cached for the next', async () => {
  const highlighter = openHighlighter()
  const codes = [{ code: 'SELECT 1', syntax: 'sql' }]
  const early = await highlighter.highlight(codes, 0)
  expect([early.isComplete, early.highlighted('SELECT 1', 'sql')]).toEqual([false, undefined])
  await highlighter.highlight(codes, long)
  const late = await highlighter.highlight(codes, 0)
  expect(late.isComplete).toBe(true)
  expect(late.highlighted('SELECT 1', 'mysql')?.map(String)).toEqual([
    '<span class="k">SELECT</span> <span class="n">1</span>',
  ])
})

test('leaves code that takes too long unhighlighted and highlights the code after it', async () => {
  const highlighter = openHighlighter({ timeout: 1000 })
  const slow = { code: 'a<b<'.repeat(20_000), syntax: 'cpp' }
  const quick = { code: '1', syntax: 'json' }
  const { highlighted, isComplete } = await highlighter.highlight([slow, quick], long)
  expect(isComplete).toBe(true)
  expect(highlighted(slow.code, slow.syntax)).toBeUndefined()
  expect(readText(highlighted(quick.code, quick.syntax) ?? [])).toBe('1')
  expect((await highlighter.highlight([slow], 0)).isComplete).toBe(true)
})

test('a thread that keeps crashing only leaves code unhighlighted', async () => {
  const highlighter = openHighlighter({ memory: 2 })
  const { highlighted, isComplete } = await highlighter.highlight([{ code: 'let a', syntax: 'js' }], long)
  expect([isComplete, highlighted('let a', 'js')]).toEqual([true, undefined])
})

test('evicts the least recently used entries when the cache is full', async () => {
  // The limit has room for two of the three entries.
  limitCacheForTest('code colours', 1000)
  const highlighter = openHighlighter()
  const [first, second, third] = ['a', 'b', 'c'].map((name) => ({
    code: `${name}: ${name.repeat(150)}`,
    syntax: 'yaml',
  }))
  if (!first || !second || !third) throw new Error('Three codes were made')
  await highlighter.highlight([first, second], long)
  await highlighter.highlight([first], 0)
  await highlighter.highlight([third], long)
  const isKept = async (code: typeof first) => (await highlighter.highlight([code], 0)).isComplete
  expect([await isKept(third), await isKept(first), await isKept(second)]).toEqual([true, true, false])
})

test('the worker thread does not keep the process alive', async () => {
  const root = join(import.meta.dirname, '..', '..')
  const bundle = await rolldown({ input: join(root, 'src/highlight/highlight.ts'), platform: 'node' })
  await bundle.write({ file: join(root, 'coverage', 'highlight.js'), codeSplitting: false })
  await bundle.close()
  const script = `const { Highlighter } = await import('./coverage/highlight.js')
    const { highlighted } = await new Highlighter().highlight([{ code: 'let a', syntax: 'js' }], ${long})
    console.log(String(highlighted('let a', 'js')))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: root })
  expect(stdout).toBe('<span class="k">let</span> a\n')
})
