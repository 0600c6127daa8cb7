import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { spliceConfigRedirects, parseRepositoryConfig } from '../../src/content/repository/config.ts'
import { spliceTags, parseTags } from '../../src/content/repository/tags.ts'
import { spliceVariables, parseVariables } from '../../src/content/repository/variables.ts'
import type { VariableValue, TagDefinition } from '../../src/content/revision/objects.ts'
import { corpusFolders } from '../support/corpus.ts'
import { type RepositoryFolder, ownRepositories } from '../support/repositories.ts'
import { randomInteger, seededRandom } from '../support/random.ts'

const readConfig = (source: string) => parseRepositoryConfig(source, '.gitbook.yaml')
const linesOf = (problems: readonly { line?: number }[]) => problems.map(({ line }) => line)
const oneOf = <Item>(chance: () => number, items: readonly Item[]): Item =>
  items[randomInteger(chance, 0, items.length - 1)] as Item

describe('repository configuration', () => {
  const defaults = { root: '', readme: 'README.md', summary: 'SUMMARY.md', redirects: [] }

  test.each([
    ['', defaults],
    ['# nothing\n', defaults],
    ['root: ./\n', defaults],
    ['root: ./docs/\n', { ...defaults, root: 'docs' }],
    ['root: docs/v2\n', { ...defaults, root: 'docs/v2' }],
    [
      'structure:\n  readme: ./Home.md\n  summary: toc/SUMMARY.md\n',
      { ...defaults, readme: 'Home.md', summary: 'toc/SUMMARY.md' },
    ],
    ['structure:\nredirects:\nroot:\n', defaults],
    ['unknown: [1, 2]\nroot: x\n', { ...defaults, root: 'x' }],
    ['\ufeffroot: x\r\n', { ...defaults, root: 'x' }],
    [
      'redirects:\n  a/b: ./dir/page.md\n  "/c/": page.md#here\n  404: x.md\n  d: https://example.com/x\n',
      {
        ...defaults,
        redirects: [
          { from: 'a/b', to: 'dir/page.md', line: 2 },
          { from: 'c', to: 'page.md#here', line: 3 },
          { from: '404', to: 'x.md', line: 4 },
          { from: 'd', to: 'https://example.com/x', line: 5 },
        ],
      },
    ],
  ])('is parsed from %j', (source, config) => {
    expect(readConfig(source)).toEqual({ config, problems: [] })
  })

  test.each([
    ['not YAML', 'root: x\nstructure: }\n', {}, 2],
    ['no map', '- a\n', {}, 1],
    ['a root that is no text', '\nroot: [docs]\n', {}, 2],
    ['a root outside', 'root: a/../../b\n', {}, 1],
    ['a file outside', 'structure:\n  readme: ../README.md\n', {}, 2],
    ['a structure that is no map', 'root: x\nstructure: SUMMARY.md\n', { root: 'x' }, 2],
    ['redirects in a list', 'redirects:\n  - a: b.md\n', {}, 2],
    ['a key twice', 'root: x\nroot: y\n', { root: 'x' }, 2],
    ['an alias', 'structure: &a\n  readme: R.md\nredirects: *a\n', { readme: 'R.md' }, 3],
    [
      'a redirect without target',
      'redirects:\n  a:\n  b: b.md\n',
      { redirects: [{ from: 'b', to: 'b.md', line: 3 }] },
      2,
    ],
    ['a redirect to outside', 'redirects:\n  a: ../b.md\n', {}, 2],
    ['a redirect from nowhere', 'redirects:\n  /: b.md\n', {}, 2],
    ['a redirect twice', 'redirects:\n  a: b.md\n  /a: c.md\n', { redirects: [{ from: 'a', to: 'b.md', line: 2 }] }, 3],
  ])('reports a problem with its line: %s', (_, source, config, line) => {
    const read = readConfig(source)
    expect(read.config).toEqual({ ...defaults, ...config })
    expect(read.problems).toHaveLength(1)
    expect(linesOf(read.problems)).toEqual([line])
  })

  test.each([
    ['brackets', '['.repeat(100_000)],
    ['lists in lists', `a:\n ${'- '.repeat(20_000)}x`],
    [
      'aliases',
      `a: &a [x]\n${Array.from({ length: 30 }, (_, n) => `b${n}: &b${n} [${'*a,'.repeat(9)}*a]`).join('\n')}\nredirects: *b29\n`,
    ],
    ['bytes', 'root: x\n'.repeat(200_000)],
    ['tags', `root: ${'!a '.repeat(300_000)}`],
  ])('reports a problem for too many %s', (_, source) => {
    const { config, problems } = readConfig(source)
    expect(config).toEqual(defaults)
    expect(problems.length).toBeGreaterThan(0)
  })

  test('accepts 10,000 redirects', () => {
    const redirects = Array.from({ length: 10_000 }, (_, n) => `  guides/of/old/page-${n}: ./guides/new/page-${n}.md\n`)
    const { config, problems } = readConfig(`redirects:\n${redirects.join('')}`)
    expect(config.redirects).toHaveLength(10_000)
    expect(problems).toEqual([])
  })

  test('changes only the edited targets of redirects when it is printed over its source', () => {
    const source =
      '# ours\r\nroot:   ./ # top\r\nredirects: # from old\r\n    "a": ./dir/a.md # moved\r\n    b: \'b.md\'\r\n\r\n    c: {x: 1}\r\n    d:   d.md\r\nother: [ 1,2 ]'
    const wanted = new Map([
      ['a', 'new/a b.md#x'],
      ['b', "it's.md"],
      ['c', 'c.md'],
      ['d', 'd.md'],
      ['unknown', 'u.md'],
    ])
    expect(spliceConfigRedirects(source, wanted)).toBe(
      source.replace('./dir/a.md', "'./new/a b.md#x'").replace("'b.md'", "'it''s.md'"),
    )
    expect(spliceConfigRedirects('redirects: {a: a.md, b: b.md}\n', new Map([['a', 'x,y.md']]))).toBe(
      "redirects: {a: 'x,y.md', b: b.md}\n",
    )
    expect(spliceConfigRedirects('redirects:\n  a: >-\n    a.md\n  b: b.md\n', new Map([['a', 'c.md']]))).toBe(
      'redirects:\n  a: c.md\n  b: b.md\n',
    )
    expect(spliceConfigRedirects('redirects: [', wanted)).toBe('redirects: [')
  })
})

const readVars = (source: string) => parseVariables(source, '.gitbook/vars.yaml')

describe('variables', () => {
  test('are parsed as strings, numbers and booleans, and other scalars as strings', () => {
    const source =
      "a: https://example.com\nb: 24\nc: 2.50\nd: true\ne: 2024-01-31\nf: 06:00 UTC\ng: '@x/y'\nh: .inf\ni: 007\nj: 12345678901234567890\nk: >-\n  two\n  lines\nl: 0x10\n"
    expect(readVars(source)).toEqual({
      variables: {
        a: 'https://example.com',
        b: 24,
        c: 2.5,
        d: true,
        e: '2024-01-31',
        f: '06:00 UTC',
        g: '@x/y',
        h: '.inf',
        i: '007',
        j: '12345678901234567890',
        k: 'two lines',
        l: 16,
      },
      problems: [],
    })
    expect(readVars('')).toEqual({ variables: {}, problems: [] })
  })

  const dropped = `# kept
1a: x
a-b: x
list: [1, 2]
map:
  x: 1
none:
long: ${'x'.repeat(257)}
anchor: &a 1
alias: *a
good: 1
good: 2
`

  test('that are invalid are reported with their line and kept in the source', () => {
    const { variables, problems } = readVars(dropped)
    expect(variables).toEqual({ anchor: 1, good: 1 })
    expect(linesOf(problems)).toEqual([2, 3, 4, 5, 7, 8, 10, 12])
    expect(spliceVariables(dropped, { anchor: 1, good: 3, fresh: 'yes' })).toBe(
      `${dropped.replace('good: 1', 'good: 3')}fresh: yes\n`,
    )
    expect(spliceVariables(dropped, { anchor: 1 })).toBe(dropped.replace('good: 1\ngood: 2\n', ''))
    expect(spliceVariables(dropped, { anchor: 1, good: 1, none: 5 })).toBe(dropped.replace('none:', 'none: 5'))
  })

  test.each<[string, string | undefined, Record<string, VariableValue>, string]>([
    ['nothing', undefined, { a: 'x', b: 'yes: no', c: '12', d: 1 }, "a: x\nb: 'yes: no'\nc: '12'\nd: 1\n"],
    ['a comment', '# ours', { a: true }, '# ours\na: true\n'],
    ['braces', '{ a: 1, b: 2 }\n', { a: 1, b: 3 }, '{ a: 1, b: 3 }\n'],
    ['a comment behind a value', 'a: "x" # note\r\nb: 1', { a: 'y\n', b: 1, c: 2 }, 'a: "y\\n" # note\r\nb: 1\r\nc: 2'],
    ['lines of text', 'a: |\n  x\n  y\n\n# b\nb: 1\n', { a: 'z', b: 1 }, 'a: z\n\n# b\nb: 1\n'],
    ['what is no YAML', 'a: [\n', { a: 1 }, '# a: [\na: 1\n'],
    ['a list', '- a\r\n- b', { a: 1 }, '# - a\r\n# - b\r\na: 1\r\n'],
  ])('are printed over %s', (_, source, variables, expected) => {
    expect(spliceVariables(source, variables)).toBe(expected)
    expect(readVars(expected).variables).toEqual(variables)
  })

  test('have the edited values after random edits are printed, and unedited variables keep their source', () => {
    const values: VariableValue[] = [
      'x',
      '',
      'a: b',
      '# c',
      'true',
      '1.0',
      "it's",
      '"q"',
      ' edge ',
      'ü 🎉',
      'a\nb',
      '-',
      '{x}',
      '*a',
      '\ttab\u00a0',
      1,
      -2.5,
      1e21,
      true,
      false,
    ]
    const written = [
      'x',
      '"quoted"',
      "'single' # why",
      '12',
      '2024-01-01',
      'true',
      '[1, 2]',
      '',
      '|\n  block\n  text',
      '>-\n    folded',
    ]
    for (let seed = 0; seed < 600; seed++) {
      const chance = seededRandom(seed)
      const newline = oneOf(chance, ['\n', '\r\n'])
      const chunks = Array.from({ length: randomInteger(chance, 0, 8) }, (_, index) => {
        const before = oneOf(chance, ['', '', '# note\n', '\n'])
        return {
          name: `v${index}`,
          text: `${before}v${index}: ${oneOf(chance, written)}\n`.replaceAll('\n', newline),
        }
      })
      const source = chunks
        .map(({ text }) => text)
        .join('')
        .slice(0, chance() < 0.2 ? -newline.length : undefined)
      const present = readVars(source).variables
      const wanted: Record<string, VariableValue> = { ...present }
      const touched = new Set<string>()
      for (let count = randomInteger(chance, 0, 3); count > 0; count--) {
        const name = `v${randomInteger(chance, 0, 9)}`
        touched.add(name)
        if (chance() < 0.3) delete wanted[name]
        else wanted[name] = oneOf(chance, values)
      }
      const printed = spliceVariables(source, wanted)
      expect({ seed, source, variables: readVars(printed).variables }).toEqual({ seed, source, variables: wanted })
      for (const { name, text } of chunks)
        if (!touched.has(name))
          expect({ seed, source, printed, kept: printed.includes(text.trimEnd()) }).toMatchObject({ seed, kept: true })
      if (!chunks.some(({ name }) => touched.has(name))) expect(printed.startsWith(source)).toBe(true)
    }
  })
})

const readTagFile = (source: string) => parseTags(source, '.gitbook/tags.yaml')

describe('tag definitions', () => {
  const source = `# ours
- tag: payments
  label: Payments # short
  icon: credit-card
- {tag: identity, label: "Identity", emoji: "1f4b3"}

- label: Connect
  tag:   connect
  color: blue
  other:
    - 1
- plain
`

  test('are parsed from maps and plain strings', () => {
    expect(readTagFile(source)).toEqual({
      tags: {
        payments: { label: 'Payments', icon: 'credit-card' },
        identity: { label: 'Identity', emoji: '1f4b3' },
        connect: { label: 'Connect', color: 'blue' },
        plain: { label: 'plain' },
      },
      problems: [],
    })
    expect(readTagFile('')).toEqual({ tags: {}, problems: [] })
  })

  test('with invalid fields are reported with their line and kept in the source', () => {
    const odd =
      '- label: x\n- tag: a\n  color: "#ff0000"\n  icon: i\n  emoji: e\n- tag: a\n- [x]\n- tag: b\n  label: [x]\n'
    const { tags, problems } = readTagFile(odd)
    expect(tags).toEqual({ a: { label: 'a', icon: 'i' }, b: { label: 'b' } })
    expect(linesOf(problems)).toEqual([1, 3, 5, 6, 7, 7, 9])
    expect(spliceTags(odd, { ...tags, b: { label: 'B' } })).toBe(odd.replace('label: [x]', 'label: B'))
    expect(spliceTags(odd, { ...tags, a: { label: 'a', icon: 'j' } })).toBe(odd.replace('icon: i', 'icon: j'))
    expect(linesOf(readTagFile('tag: x\n').problems)).toEqual([1])
  })

  test('change only where they are edited when they are printed over their source', () => {
    const { tags } = readTagFile(source)
    const { payments, identity, connect, plain } = tags as Record<string, TagDefinition>
    const print = (wanted: Record<string, TagDefinition | undefined>) => {
      const given = Object.fromEntries(Object.entries(wanted).filter(([, tag]) => tag)) as Record<string, TagDefinition>
      const printed = spliceTags(source, given)
      expect(readTagFile(printed).tags).toEqual(given)
      return printed
    }
    expect(print({ payments, identity, connect, plain })).toBe(source)
    expect(print({ ...tags, payments: { label: 'Pay: now', icon: 'credit-card', color: 'red' } })).toBe(
      source.replace('Payments #', "'Pay: now' #").replace('credit-card\n', 'credit-card\n  color: red\n'),
    )
    expect(print({ ...tags, payments: { label: 'Payments', emoji: '1f4b3' } })).toBe(
      source.replace('  icon: credit-card\n', '  emoji: 1f4b3\n'),
    )
    expect(print({ identity, connect, plain })).toBe(source.replace(/- tag: payments[^]*?card\n/, ''))
    expect(print({ payments, identity, plain })).toBe(source.replace(/- label: Connect[^]*?- 1\n/, ''))
    expect(print({ ...tags, next: { label: 'Next', icon: 'x' } })).toBe(
      `${source}- tag: next\n  label: Next\n  icon: x\n`,
    )
    expect(print({ ...tags, connect: { label: 'Links', color: 'blue' } })).toBe(
      source.replace('label: Connect', 'label: Links'),
    )
    expect(print({ ...tags, plain: { label: 'Plain' } })).toBe(
      source.replace('- plain', '- tag: plain\n  label: Plain'),
    )
    const changed = print({ ...tags, identity: { label: 'Who', emoji: '1f4b3' } })
    expect(changed.replace(/- \{.*\}/, '')).toBe(source.replace(/- \{.*\}/, ''))
    expect(spliceTags(undefined, tags)).toBe(
      '- tag: payments\n  label: Payments\n  icon: credit-card\n- tag: identity\n  label: Identity\n  emoji: 1f4b3\n- tag: connect\n  label: Connect\n  color: blue\n- tag: plain\n  label: plain\n',
    )
  })

  test('have the edited values after random edits are printed, and unedited tags keep their source', () => {
    for (let seed = 0; seed < 400; seed++) {
      const chance = seededRandom(seed)
      const newline = oneOf(chance, ['\n', '\r\n'])
      const indent = oneOf(chance, ['', '  '])
      const chunks = Array.from({ length: randomInteger(chance, 0, 6) }, (_, index) => {
        const text = oneOf(chance, [
          `- tag: t${index}\n  label: Label ${index} # l\n  icon: star\n`,
          `- label: 'L'\n  tag: "t${index}"\n  color: red\n  x: [1]\n`,
          `-   tag: t${index}\n    emoji: "1f4b3"\n`,
          `# before\n- { tag: t${index}, label: F, color: nope }\n`,
          `- t${index}\n\n`,
        ])
        return { slug: `t${index}`, text: text.replace(/^(?=.)/gm, indent).replaceAll('\n', newline) }
      })
      const text = chunks
        .map((chunk) => chunk.text)
        .join('')
        .slice(0, chance() < 0.2 ? -newline.length : undefined)
      const wanted: Record<string, TagDefinition> = structuredClone(readTagFile(text).tags)
      const touched = new Set<string>()
      for (let count = randomInteger(chance, 0, 3); count > 0; count--) {
        const slug = `t${randomInteger(chance, 0, 7)}`
        touched.add(slug)
        if (chance() < 0.3) delete wanted[slug]
        else
          wanted[slug] = {
            label: oneOf(chance, ['L', 'New: one', '1', 'x # y']),
            ...(chance() < 0.5 && { color: oneOf(chance, ['red', '$tint']) }),
            ...(chance() < 0.5 ? { icon: 'moon' } : chance() < 0.5 && { emoji: '🎉' }),
          }
      }
      const printed = spliceTags(text, wanted)
      expect({ seed, text, printed, tags: readTagFile(printed).tags }).toEqual({ seed, text, printed, tags: wanted })
      for (const { slug, text: own } of chunks)
        if (!touched.has(slug))
          expect({ seed, text, printed, kept: printed.includes(own.trimEnd()) }).toMatchObject({ seed, kept: true })
    }
  })
})

const readIfExists = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')

/** Checks that the settings in a folder are parsed without problems and printed unchanged, and returns their counts. */
function checkSettings({ name, path }: RepositoryFolder) {
  const config = readIfExists(join(path, '.gitbook.yaml'))
  const read = readConfig(config)
  expect({ name, problems: read.problems }).toEqual({ name, problems: [] })
  expect(spliceConfigRedirects(config, new Map(read.config.redirects.map(({ from, to }) => [from, to])))).toBe(config)
  const [first] = read.config.redirects
  if (first) {
    const lines = config.split('\n')
    const line = (lines[first.line - 1] ?? '').replace(first.to, 'moved/page.md')
    const printed = spliceConfigRedirects(config, new Map([[first.from, 'moved/page.md']]))
    expect(printed.split('\n')).toEqual(lines.with(first.line - 1, line))
  }
  const vars = readVars(readIfExists(join(path, '.gitbook/vars.yaml')))
  const tagFile = readTagFile(readIfExists(join(path, '.gitbook/tags.yaml')))
  expect({ name, problems: [...vars.problems, ...tagFile.problems] }).toEqual({ name, problems: [] })
  return {
    redirects: read.config.redirects.length,
    variables: Object.keys(vars.variables).length,
    tags: Object.keys(tagFile.tags).length,
  }
}

test('settings of repositories are parsed without problems and printed unchanged', () => {
  expect(ownRepositories.map(checkSettings)).toEqual([
    { redirects: 1, variables: 0, tags: 0 },
    { redirects: 3, variables: 5, tags: 2 },
    { redirects: 1, variables: 0, tags: 0 },
  ])
  for (const folder of corpusFolders()) checkSettings(folder)
})
