import { describe, expect, test } from 'vitest'
import { type PageMetadata, readFrontMatter } from '../../src/content/markdown/front-matter.ts'
import { printFrontMatter } from '../../src/content/markdown/print-front-matter.ts'
import { type References, verbatimReferences } from '../../src/content/markdown/references.ts'

const read = (yaml: string) => readFrontMatter(yaml, verbatimReferences)
const print = (metadata: PageMetadata, original?: string) => printFrontMatter(metadata, verbatimReferences, original)

const everything = `title: Home
description: >-
  Payments, identity, and platform infrastructure — built for businesses that
  scale.
hidden: true
noIndex: true
noRobotsIndex: true
icon: house
if: visitor.claims.beta === true
cover:
  light: .gitbook/assets/a b.png
  dark: .gitbook/assets/dark.png
coverY: -12.5
coverHeight: 300
layout:
  width: wide
  cover:
    visible: true
    size: full
    mask: radial
  title:
    visible: true
  outline:
    visible: false
tags:
  - payments
  - tag: identity
    primary: true
metaLinks:
  canonical: https://example.com/a
  alternates:
    - b.md
vars:
  version: v1
  count: 3
  beta: true`

test('parses all metadata of a page and prints it in the order of exporters', () => {
  const { metadata, problems } = read(everything)
  expect(problems).toEqual([])
  expect(metadata).toEqual({
    title: 'Home',
    description: 'Payments, identity, and platform infrastructure — built for businesses that scale.',
    hidden: true,
    noIndex: true,
    noRobotsIndex: true,
    icon: 'house',
    condition: 'visitor.claims.beta === true',
    cover: {
      ref: { kind: 'url', url: '.gitbook/assets/a b.png' },
      refDark: { kind: 'url', url: '.gitbook/assets/dark.png' },
      yPos: -12.5,
      height: 300,
    },
    layout: { width: 'wide', cover: true, coverSize: 'full', coverMask: 'radial', title: true, outline: false },
    tags: [{ tag: 'payments' }, { tag: 'identity', primary: true }],
    variables: { version: 'v1', count: 3, beta: true },
    metaLinks: { canonical: { kind: 'url', url: 'https://example.com/a' }, alternates: [{ kind: 'url', url: 'b.md' }] },
  })
  expect(print(metadata)).toBe(everything)
  expect(print(metadata, everything)).toBe(everything)
})

test.each([
  ['a short text', 'Just text', 'description: Just text'],
  ['a text that would be something else', 'a: b', "description: 'a: b'"],
  ['a text with quotes', 'it\'s: "x"', "description: 'it''s: \"x\"'"],
  ['a number', '404', "description: '404'"],
  ['a non-breaking space', 'a\u00a0b', 'description: "a\\_b"'],
  ['a text as long as a line', 'x'.repeat(78), `description: ${'x'.repeat(78)}`],
  ['a longer text', `${'word '.repeat(16)}end`, `description: >-\n  ${'word '.repeat(15).trim()}\n  word end`],
])('prints %s in the style of exporters', (_, description, expected) => {
  expect(print({ description })).toBe(expected)
  expect(read(expected).metadata).toEqual({ description })
})

test('prints no front matter for empty metadata', () => {
  expect(print({})).toBeUndefined()
  expect(print({ hidden: false })).toBeUndefined()
  expect(print({}, 'hidden: true')).toBeUndefined()
})

describe('printing over a source', () => {
  const original = `# about this page
stoplight-id:   2aq3   # an id
icon: "house"          # look
foo: [a,   b]

hidden: false
description: Old   # keep
layout: {title: {visible: true}, other: 1}
last: x`

  test('changes nothing if the metadata did not change', () => {
    expect(print(read(original).metadata, original)).toBe(original)
  })

  test('changes only what differs and keeps other keys, comments, order and formatting', () => {
    const { metadata } = read(original)
    const { icon: _, ...rest } = metadata
    const result = print({ ...rest, description: 'New', hidden: true, tags: [{ tag: 'a' }] }, original)
    expect(result).toBe(`# about this page
stoplight-id:   2aq3   # an id
foo: [a,   b]

hidden: true
description: New   # keep
layout: {title: {visible: true}, other: 1}
tags:
  - a
last: x`)
  })

  test('keeps unknown keys inside a changed key', () => {
    const { metadata } = read(original)
    const result = print({ ...metadata, layout: { width: 'wide', title: true } }, original)
    expect(read(result ?? '').metadata.layout).toEqual({ width: 'wide', title: true })
    expect(result).toContain('other: 1')
    expect(result).toContain('foo: [a,   b]')
  })

  test('keeps the comment after a short text that is replaced by a long one', () => {
    const description = 'long '.repeat(40).trim()
    const result = print({ ...read(original).metadata, description }, original)
    expect(read(result ?? '').metadata.description).toBe(description)
    expect(result).toContain('keep')
    expect(result).toContain('foo:')
  })

  test('inserts a new key in the position that exporters use', () => {
    expect(print({ description: 'a', icon: 'star', hidden: true }, 'description: a\nicon: star')).toBe(
      'description: a\nhidden: true\nicon: star',
    )
    expect(print({ icon: 'star' }, 'foreign: 1')).toBe('foreign: 1\nicon: star')
  })

  test('keeps CRLF line endings', () => {
    const crlf = 'a: 1\r\ndescription: x\r\nb: 2'
    expect(print({ description: 'y', icon: 'star' }, crlf)).toBe('a: 1\r\ndescription: y\r\nicon: star\r\nb: 2')
  })

  test('converts invalid YAML to a comment once there is metadata to print', () => {
    const broken = 'description: "unclosed\nicon: star'
    expect(print({}, broken)).toBe(broken)
    expect(print({ icon: 'house' }, broken)).toBe('# description: "unclosed\n# icon: star\nicon: house')
  })

  test('prints references as the tree resolves them, and only when they change', () => {
    const tree: References = {
      resolve: (destination) =>
        destination.endsWith('.png') ? { kind: 'file', file: 'f1' } : verbatimReferences.resolve(destination),
      print: (reference) => (reference.kind === 'file' ? 'assets/new.png' : verbatimReferences.print(reference)),
    }
    const { metadata } = readFrontMatter('cover: ./old.png\ncoverY: 0', tree)
    expect(metadata.cover).toEqual({ ref: { kind: 'file', file: 'f1' }, yPos: 0 })
    expect(printFrontMatter(metadata, tree, 'cover: ./old.png\ncoverY: 0')).toBe('cover: ./old.png\ncoverY: 0')
    expect(printFrontMatter(metadata, tree)).toBe('cover: assets/new.png\ncoverY: 0')
  })
})

describe('invalid or unusual front matter', () => {
  test.each<[string, string, string[]]>([
    ['no YAML', 'a: [', ['']],
    ['a list', '- a\n- b', ['']],
    ['a text', 'just text', ['']],
    [
      'wrong types',
      'description: [a]\nhidden: "yes"\ncoverY: x\ncoverHeight: 5\ntags: a\nvars: 3',
      ['description', 'hidden', 'coverY', 'coverHeight', 'tags', 'vars'],
    ],
    [
      'wrong words',
      'layout:\n  width: huge\n  cover:\n    size: 3\n  title: 1',
      ['layout.width', 'layout.cover.size', 'layout.title'],
    ],
    [
      'wrong variables',
      `vars:\n  1a: x\n  __proto__: x\n  list: []\n  long: ${'x'.repeat(257)}`,
      ['vars.1a', 'vars.__proto__', 'vars.list', 'vars.long'],
    ],
    ['a key that is there twice', 'icon: a\nicon: a', ['icon']],
    ['aliases', 'x: &x text\ndescription: *x', ['description']],
  ])('reports problems for %s', (_, yaml, paths) => {
    const { problems } = read(yaml)
    expect(problems.map(({ path }) => path).toSorted()).toEqual(paths.toSorted())
  })

  test('keeps a number or boolean in a text field as it is written', () => {
    expect(read('title: 1.10\ndescription: true').metadata).toEqual({ title: '1.10', description: 'true' })
  })

  test('treats names of built-in properties as ordinary names', () => {
    const { metadata } = read('__proto__:\n  hidden: true\nconstructor: x\nvars:\n  constructor: x')
    expect(metadata).toEqual({ variables: { constructor: 'x' } })
    expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype)
  })
})

test.each([
  ['a long text', `a: ${'x '.repeat(500_000)}`],
  ['nested lists', `a: ${'['.repeat(20_000)}`],
  ['lists in a line', `a:\n ${'- '.repeat(20_000)}`],
  ['many keys', Array.from({ length: 5000 }, (_, index) => `k${index}: x`).join('\n')],
  [
    'an alias bomb',
    `a: &a [x,x]\n${Array.from('bcdefghijklm', (key, index) => `${key}: &${key} [*${'abcdefghijkl'[index]},*${'abcdefghijkl'[index]},*${'abcdefghijkl'[index]}]`).join('\n')}\ntags: *m`,
  ],
])('parses %s in bounded time and keeps the source', (_, yaml) => {
  const { metadata } = read(yaml)
  expect(metadata).toEqual({})
  expect(print(metadata, yaml)).toBe(yaml)
})

test.each([
  ['a text', 'description: How to start'],
  ['a text with signs', `description: It's a "test", 50% of [x] {y}, see https://example.com/a:b#c`],
  ['a text with a colon', 'description: Note: see below'],
  ['a text that ends with a colon', 'description: Note:'],
  ['a text and a comment', 'description: Text # comment'],
  ['a text with accents', 'title: Über uns…'],
  ['blanks around a text', 'title:   Home   \nicon: house'],
  ['a text of several lines', 'description: one\n  two\nicon: house'],
  ['a folded text', 'description: >-\n  One line,\n  and: another # one\nicon: house'],
  ['a folded text with an empty line', 'description: >-\n  one\n\n  two'],
  ['a folded text with an indented line', 'description: >-\n  one\n    two\n  three'],
  ['a folded text with a blank at the end of a line', 'description: >-\n  one \n  two'],
  ['a folded text that is empty', 'description: >-\nicon: house'],
  ['a folded text with a final line end', 'description: >\n  one\n  two'],
  ['flags', 'hidden: true\nnoIndex: false\nnoRobotsIndex: True'],
  ['a flag as a text', 'title: true\ndescription: false\nicon: null'],
  ['numbers', 'cover: a.png\ncoverY: 12\ncoverHeight: 0300'],
  ['numbers as texts', 'title: 1.10\ndescription: 007\nicon: 42'],
  ['nothing', 'title:\ndescription: ~\nicon:'],
  ['a key twice', 'title: One\ntitle: Two'],
  ['keys that are no texts', 'null: x\ntrue: y\ntitle: One'],
  ['line ends of Windows', 'title: One\r\nicon: house'],
  ['a tab', 'title:\tOne\nicon: a\tb'],
])('the fast parser and the YAML parser agree on %s', (_, yaml) => {
  // A comment is supported by the YAML parser only.
  expect(read(yaml)).toEqual(read(`${yaml}\n# comment`))
})

describe('the source of generated content', () => {
  const yaml = `computed:
  type: builtin:openapi
  props:
    grouping: by-operation
    models: true
  dependencies:
    spec:
      ref:
        kind: openapi
        spec: store`
  const computed = {
    type: 'builtin:openapi',
    props: { grouping: 'by-operation', models: true },
    dependencies: { spec: { ref: { kind: 'openapi' as const, spec: 'store' } } },
  }

  test('is read and printed', () => {
    expect(read(yaml)).toEqual({ metadata: { computed }, problems: [] })
    expect(print({ computed })).toBe(yaml)
    expect(print({ icon: 'x', computed }, `# Comment\n${yaml}\nother: 1`)).toBe(`# Comment\nicon: x\n${yaml}\nother: 1`)
    expect(print({}, `icon: x\n${yaml}`)).toBeUndefined()
  })

  test.each([
    ['computed: text', 'computed'],
    ['computed: {props: {}}', 'computed.type'],
    ['computed: {type: a, props: [1]}', 'computed.props'],
    ['computed: {type: a, dependencies: {spec: 1}}', 'computed.dependencies'],
    ['x: &x {a: 1}\ncomputed: {type: a, props: *x}', 'computed.props'],
  ])('%s is a problem', (text, path) => {
    const { metadata, problems } = read(text)
    expect(problems.map((problem) => problem.path)).toContain(path)
    expect(metadata.computed?.props ?? {}).toEqual({})
  })
})
