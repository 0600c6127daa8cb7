import { describe, expect, test } from 'vitest'
import { readSequence } from '../../src/content/revision/sequence.ts'
import { SyncedRepository } from '../support/repository.ts'

const page = (title: string, ...paragraphs: string[]) =>
  `# ${title}\n${paragraphs.map((text) => `\n${text}\n`).join('')}`

describe('a table of contents', () => {
  test('is parsed with groups, anchors, dividers, link titles and external links', async () => {
    const repository = await SyncedRepository.fromFiles({
      'README.md': page('Welcome'),
      'a.md': page('A'),
      'b.md': page('B'),
      'c.md': page('C'),
      'SUMMARY.md': `# Table of contents

* [Welcome](README.md)

## First steps

* [A](a.md "Short A")

## Reference <a href="#api" id="api"></a>

1. [B](b.md)
   + [Site](https://example.com/x "Out")

***

- [C](c.md)
- [Other space](https://app.gitbook.com/s/abc123/start)
- [Part of A](a.md#part)
`,
    })
    expect(repository.problems).toEqual([])
    expect(await repository.outline()).toEqual([
      'readme "Welcome"',
      'group first-steps "First steps"',
      '  a "A"',
      'group api "Reference"',
      '  b "B"',
      '    link site "Site" -> https://example.com/x',
      'c "C"',
      'link other-space "Other space" -> https://app.gitbook.com/s/abc123/start',
      'link part-of-a "Part of A" -> page:first-steps/a#part',
    ])
    expect((await repository.getPage('first-steps/a')).page.linkTitle).toBe('Short A')
  })

  test('is parsed with computed pages, empty pages, folders, missing files, duplicates and unknown lines', async () => {
    const repository = await SyncedRepository.fromFiles({
      'README.md': page('Home'),
      'install/README.md': page('Install'),
      'install/linux.md': page('Linux'),
      'SUMMARY.md': `{% endif %}
* [Home](README.md)
* Chapter
  * [Install](install)
    * [Linux](./install/linux)
  * [Gone](install/gone.md)
* \`\`\`yaml
  type: builtin:openapi
  props:
    models: true
  dependencies:
    spec:
      ref: { kind: openapi, spec: petstore }
  \`\`\`
* [Again](install/README.md)
`,
    })
    expect(await repository.outline()).toEqual([
      'readme "Home"',
      'chapter "Chapter" (empty)',
      '  install "Install"',
      '    linux "Linux"',
      '  gone "Gone" (empty)',
      'computed computed "builtin:openapi"',
      'link again "Again" -> page:chapter/install',
    ])
    expect(repository.problems.map(({ file, line }) => `${file}:${line}`)).toEqual([
      'SUMMARY.md:1',
      'SUMMARY.md:6',
      'SUMMARY.md:15',
    ])
  })

  test('is parsed with escapes, angle brackets, code and percent signs in titles and paths', async () => {
    const repository = await SyncedRepository.fromFiles({
      'README.md': page('Home'),
      'set_up/README.md': 'No heading.\n',
      'read me (1).md': 'No heading.\n',
      '100% sure.md': 'No heading.\n',
      'ünï.md': 'No heading.\n',
      'mini-[legacy].md': 'No heading.\n',
      'SUMMARY.md': `* [Home](README.md)
* [Set\\_up \`it\` <now>](set\\_up/README.md)
* [Brackets \\[1\\]](<read me (1).md>)
* [Sure](100%25%20sure.md)
* [Ünï](u\u0308ni\u0308.md)
* [Legacy](mini-\\[legacy].md)
`,
    })
    expect(repository.problems).toEqual([])
    expect(await repository.outline()).toEqual([
      'readme "Home"',
      'set_up "Set_up it <now>"',
      'read-me-1 "Brackets [1]"',
      '100-sure "Sure"',
      'ueni "Ünï"',
      'mini-legacy "Legacy"',
    ])
  })

  test('that does not list the README has it as the first page', async () => {
    const repository = await SyncedRepository.fromFiles({
      'readme.md': page('Home'),
      'a.md': page('A'),
      'SUMMARY.md': '* [A](a.md)\n',
    })
    expect(await repository.outline()).toEqual(['readme "Home"', 'a "A"'])
  })

  test('puts pages listed below a link after the link, and reports nesting deeper than 50 levels', async () => {
    const deep = Array.from({ length: 60 }, (_, index) => `${'  '.repeat(index)}* [P${index}](p${index}.md)`)
    const repository = await SyncedRepository.fromFiles({
      'README.md': page('Home'),
      'SUMMARY.md': `* [Home](README.md)\n* [Out](https://example.com)${deep.map((line) => `\n  ${line}`).join('')}\n`,
    })
    const outline = await repository.outline()
    expect(outline).toHaveLength(62)
    expect(outline.slice(1, 4)).toEqual([
      'link out "Out" -> https://example.com',
      'p0 "P0" (empty)',
      '  p1 "P1" (empty)',
    ])
    expect(repository.problems.some(({ message }) => message.includes('deeper than 50'))).toBe(true)
  })
})

describe('without a table of contents', () => {
  test('folders are pages with the content of their README, or empty pages', async () => {
    const repository = await SyncedRepository.fromFiles({
      'readme.md': page('Home'),
      'zebra.md': page('Zebra'),
      'Guide/ReadMe.md': page('The guide'),
      'Guide/b.md': page('B'),
      'Guide/A.md': page('A'),
      'plain/deep/x.md': page('X'),
      '.gitbook/includes/note.md': 'Note.\n',
      '.github/template.md': page('Template'),
      'package.json': '{}',
    })
    expect(await repository.outline()).toEqual([
      'readme "Home"',
      'guide "The guide"',
      '  a "A"',
      '  b "B"',
      'plain "plain" (empty)',
      '  deep "deep" (empty)',
      '    x "X"',
      'zebra "Zebra"',
    ])
  })

  test('an empty folder has no pages and no problems', async () => {
    const repository = await SyncedRepository.fromFiles({})
    expect(await repository.outline()).toEqual([])
    expect(repository.problems).toEqual([])
  })
})

describe('the configuration', () => {
  test('sets the root, the first page, the table of contents and redirects', async () => {
    const repository = await SyncedRepository.fromFiles({
      '.gitbook.yaml': `root: ./docs/
structure:
  readme: ./intro.md
  summary: toc/CONTENTS.md
redirects:
  Old/Way: ./guide/a.md#part
  gone: guide/none.md
`,
      'docs/intro.md': page('Intro'),
      'docs/guide/a.md': page('A', '[out](../../src/code.ts)'),
      'docs/toc/CONTENTS.md': '* [A](../guide/a.md)\n',
      'README.md': page('Not this one'),
    })
    expect(await repository.outline()).toEqual(['intro "Intro"', 'a "A"'])
    expect(await repository.findPath('old/way')).toBe('a')
    expect(await repository.findPath('guide/a')).toBe('a')
    expect(await repository.findPath('GUIDE/A')).toBe('a')
    expect(await repository.findPath('gone')).toBeUndefined()
    const tree = await repository.tree()
    expect(await readSequence(repository.objects, tree.root.redirects ?? { level: 0, entries: [] })).toContainEqual(
      expect.objectContaining({ id: 'old/way', anchor: 'part' }),
    )
    expect(repository.problems.map(({ file, line }) => `${file}:${line}`)).toEqual([
      '.gitbook.yaml:7',
      'docs/guide/a.md:3',
    ])
  })

  test('is read from .octavo.yaml first, and its errors are reported', async () => {
    const repository = await SyncedRepository.fromFiles({
      '.octavo.yaml': 'root: [x\n',
      '.gitbook.yaml': 'root: ./elsewhere\n',
      'README.md': page('Home'),
    })
    expect(await repository.outline()).toEqual(['readme "Home"'])
    expect(repository.problems[0]).toMatchObject({ file: '.octavo.yaml', line: expect.any(Number) })
  })

  test('removes a redirect that it no longer contains', async () => {
    const repository = await SyncedRepository.fromFiles({
      '.gitbook.yaml': 'redirects:\n  old: a.md\n  older: a.md\n',
      'README.md': page('Home'),
      'a.md': page('A'),
    })
    await repository.write({ '.gitbook.yaml': 'redirects:\n  older: a.md\n' })
    expect(await repository.findPath('old')).toBeUndefined()
    expect(await repository.findPath('older')).toBe('a')
  })
})

describe('titles', () => {
  test('are the first heading, else the front matter, else the text in the table of contents', async () => {
    const repository = await SyncedRepository.fromFiles({
      'README.md': '---\ntitle: Front\n---\n\n# Heading\n',
      'b.md': '---\ntitle: Front\n---\n\nText.\n',
      'c.md': 'Text.\n\n# Not the first\n',
      'd.md': '',
      'SUMMARY.md': '* [One](README.md)\n* [Two](b.md)\n* [Three](c.md)\n* [Four](d.md)\n',
    })
    expect(await repository.outline()).toEqual(['readme "Heading"', 'b "Front"', 'c "Three"', 'd "Four"'])
    await repository.write({ 'SUMMARY.md': '* [1](README.md)\n* [2](b.md)\n* [3](c.md)\n* [4](d.md)\n' })
    expect(await repository.outline()).toEqual(['readme "Heading"', 'b "Front"', 'c "3"', 'd "4"'])
    expect(repository.folder.readPaths).toEqual(['SUMMARY.md'])
  })
})

describe('links', () => {
  test('resolve to pages in every supported spelling', async () => {
    const repository = await SyncedRepository.fromFiles({
      'README.md': page('Home'),
      'guide/README.md': page('Guide'),
      'guide/set up.md': page('Set up'),
      'guide/a.md': page(
        'A',
        '[1](../README.md) [2](../) [3](./) [4](README.md) [5](/guide/set%20up.md#part) [6](<set up.md>)',
        '[7](Set%20Up.md) [8](./set%20up) [9](/GUIDE/) [10](#here) [11](../guide/#part) [12](cafe\u0301.md)',
        '[13](https://example.com/a.md) [14](mailto:a@example.com) [15](set%20up.md?x=1)',
      ),
      'guide/caf\u00e9.md': page('Café'),
    })
    expect(repository.problems).toEqual([])
    const text = await repository.readMarkdown('guide/a')
    const targets = [...text.matchAll(/\[\d+\]\(([^)]*)\)/g)].map((match) => match[1])
    expect(targets).toEqual([
      'page:readme',
      'page:readme',
      'page:guide',
      'page:guide',
      'page:guide/set-up#part',
      'page:guide/set-up',
      'page:guide/set-up',
      'page:guide/set-up',
      'page:guide',
      '#here',
      'page:guide#part',
      'page:guide/cafe',
      'https://example.com/a.md',
      'mailto:a@example.com',
      'page:guide/set-up',
    ])
  })

  test('that cannot be resolved are kept and reported with their lines', async () => {
    const repository = await SyncedRepository.fromFiles({
      'README.md': page(
        'Home',
        '[x](gone.md)',
        '[y](broken-reference) ![z](.gitbook/assets/none.png)',
        '[w](../up.md)',
      ),
    })
    expect(await repository.readMarkdown('readme')).toContain('[x](broken:gone.md)')
    expect(repository.problems.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([
      'README.md:3 Broken link: gone.md',
      'README.md:5 Broken link: broken-reference',
      'README.md:5 Broken link: .gitbook/assets/none.png',
      'README.md:7 Broken link: ../up.md',
    ])
  })

  test('to code and to files outside the root become URLs of the Git host', async () => {
    const base = 'https://git.example.com/tree/main/'
    const repository = await SyncedRepository.fromFiles(
      {
        '.gitbook.yaml': 'root: docs\n',
        'docs/README.md': page('Home', '[code](src/x.ts) [up](../lib/y.ts#L3) [top](/src/x.ts) ![p](pic.png)'),
        'docs/src/x.ts': 'x',
        'docs/pic.png': 'bytes',
        'lib/y.ts': 'y',
      },
      {
        fileUrls: {
          urlOf: (path) => new URL(path, base).href,
          pathOf: (url) => (url.startsWith(base) ? url.slice(base.length) : undefined),
        },
      },
    )
    const text = await repository.readMarkdown('readme')
    expect(text).toContain(`[code](${base}docs/src/x.ts)`)
    expect(text).toContain(`[up](${base}lib/y.ts#L3)`)
    expect(text).toContain(`[top](${base}docs/src/x.ts)`)
    expect(await repository.files()).toMatchObject([{ name: 'pic.png' }])
    expect(repository.problems).toEqual([])
  })

  test('to missing Markdown files and to deleted content are broken, and an export keeps them', async () => {
    const base = 'https://git.example.com/tree/main/'
    const text =
      '*Not* in normal form: [a](gone.md#x) [b](/broken/pages/Xy1) [c](broken-reference) [d](../broken-reference/) [e](/broken/files/f) [f](notes.md)'
    const repository = await SyncedRepository.fromFiles(
      {
        'README.md': page('Home', text),
        'SUMMARY.md': '* [Home](README.md)\n',
        'notes.md': 'Not in the table of contents',
      },
      {
        fileUrls: {
          urlOf: (path) => new URL(path, base).href,
          pathOf: (url) => (url.startsWith(base) ? url.slice(base.length) : undefined),
        },
      },
    )
    expect(repository.problems.map(({ message }) => message)).toEqual([
      'Broken link: gone.md#x',
      'Broken link: /broken/pages/Xy1',
      'Broken link: broken-reference',
      'Broken link: ../broken-reference/',
      'Broken link: /broken/files/f',
    ])
    expect(await repository.readMarkdown('readme')).toContain(`[f](${base}notes.md)`)
    expect(await repository.readMarkdown('readme')).toContain('[a](broken:gone.md#x)')
    // An export resolves links in the same way, so it keeps the source around them.
    const id = await repository.getPageId('readme')
    const changes = await repository.edit((draft) => repository.append(draft, id, 'More.'))
    expect(changes).toEqual({ 'README.md': page('Home', text, 'More.') })
  })

  test('to a listed page without a file resolve to the empty page', async () => {
    const repository = await SyncedRepository.fromFiles({
      'README.md': page('Home', '[soon](guide/soon.md#part)'),
      'SUMMARY.md': '* [Home](README.md)\n* [Soon](guide/soon.md)\n',
    })
    expect(await repository.readMarkdown('readme')).toBe('[soon](page:soon#part)')
  })
})

describe('files', () => {
  test('are imported from the assets folder, and from other folders if a page refers to them', async () => {
    const repository = await SyncedRepository.fromFiles({
      'README.md': page(
        'Home',
        '![1](.gitbook/assets/a%20b%20(1).png)',
        '![2](<img/100% new.png>)',
        '![3](img/gr\u00fcn.svg)',
        '<figure><img src=".gitbook/assets/Logo.png" alt=""></figure>',
        '<figure><img src=".gitbook/assets/logo.png" alt=""></figure>',
      ),
      '.gitbook/assets/a b (1).png': '1',
      'img/100% new.png': '2',
      'img/gru\u0308n.svg': '3',
      'img/never shown.png': '4',
      '.gitbook/assets/unused.pdf': '5',
      '.gitbook/assets/Logo.png': 'upper',
      '.gitbook/assets/logo.png': 'lower',
    })
    expect(repository.problems).toEqual([])
    const files = await repository.files()
    expect(files.map(({ name }) => name).sort()).toEqual([
      '100% new.png',
      'Logo.png',
      'a b (1).png',
      'gru\u0308n.svg',
      'logo.png',
      'unused.pdf',
    ])
    const text = await repository.readMarkdown('readme')
    expect(text.indexOf('file:Logo.png')).toBeLessThan(text.indexOf('file:logo.png'))
    expect(text).toContain('file:Logo.png')
  })
})

describe('reusable contents', () => {
  test('have titles, include each other, and resolve links relative to their own file', async () => {
    const repository = await SyncedRepository.fromFiles({
      'README.md': page('Home', '{% include ".gitbook/includes/note.md" %}'),
      'guide/a.md': page(
        'A',
        '{% include "/.gitbook/includes/note.md" %}',
        '{% include "../.gitbook/includes/none.md" %}',
      ),
      '.gitbook/includes/note.md': '---\ntitle: A note\n---\n\n[home](../../README.md)\n\n{% include "other.md" %}\n',
      '.gitbook/includes/other.md': '{% include "note.md" %}\n',
    })
    const names = await repository.readReferences()
    const contents = await repository.listReusableContents()
    const texts = await Promise.all(
      contents.map(async ({ title, document }) => [title, await repository.print(document, names)]),
    )
    expect(Object.fromEntries(texts)).toEqual({
      'A note': '[home](page:readme)\n\n{% include "content:other" %}',
      other: '{% include "content:A note" %}',
    })
    expect(await repository.readMarkdown('guide/a')).toContain('{% include "content:A note" %}')
    expect(repository.problems).toMatchObject([{ file: 'guide/a.md', line: 5 }])
  })

  test('that the table of contents lists are imported as pages, with their links resolved', async () => {
    const repository = await SyncedRepository.fromFiles({
      'README.md': page('Home', '{% include ".gitbook/includes/note.md" %}'),
      '.gitbook/includes/note.md': page('Note', '[home](../../README.md)'),
      'SUMMARY.md': '* [Home](README.md)\n* [Note](.gitbook/includes/note.md)\n',
    })
    expect(await repository.outline()).toEqual(['readme "Home"', 'note "Note"'])
    expect(await repository.readMarkdown('note')).toBe('[home](page:readme)')
    expect(await repository.listReusableContents()).toEqual([])
  })
})

test('front matter, variables and tags are imported, and invalid values are reported', async () => {
  const repository = await SyncedRepository.fromFiles({
    'README.md': `---
description: What it is
icon: bolt
hidden: true
if: visitor.claims.beta
cover: .gitbook/assets/cover.png
layout:
  width: wide
tags:
  - tag: new
    primary: true
vars:
  edition: 3
owner: somebody
---

# Home
`,
    'a.md': '---\nhidden: maybe\n---\n\n# A\n',
    'b.md': '---\n[wrong\n---\n\n# B\n',
    '.gitbook/assets/cover.png': 'bytes',
    '.gitbook/vars.yaml': 'version: v3\nport: 8080\n1wrong: x\n',
    '.gitbook/tags.yaml': '- tag: new\n  label: New\n  color: green\n- label: No name\n',
  })
  const { page: home } = await repository.getPage('readme')
  expect(home).toMatchObject({
    description: 'What it is',
    icon: 'bolt',
    hidden: true,
    condition: 'visitor.claims.beta',
    layout: { width: 'wide' },
    tags: [{ tag: 'new', primary: true }],
    variables: { edition: 3 },
    cover: { ref: { kind: 'file' } },
  })
  const { root } = await repository.tree()
  expect(root.variables).toEqual({ version: 'v3', port: 8080 })
  expect(root.tags).toMatchObject({ new: { label: 'New', color: 'green' } })
  expect(repository.problems.map(({ file }) => file)).toEqual([
    '.gitbook/tags.yaml',
    '.gitbook/vars.yaml',
    'a.md',
    'b.md',
  ])
  for (const { line, message } of repository.problems)
    expect({ line, message }).toEqual({ line: expect.any(Number), message: expect.stringMatching(/\S/) })
})

test('navigation paths, file paths and former paths resolve to the same page', async () => {
  const repository = await SyncedRepository.fromFiles({
    'README.md': page('Home'),
    'payment-flows/Save-Cards.md': page('Save cards'),
    'SUMMARY.md': '* [Home](README.md)\n\n## Build flows\n\n* [Save cards](payment-flows/Save-Cards.md)\n',
  })
  expect(await repository.findPath('build-flows/save-cards')).toBe('build-flows/save-cards')
  expect(await repository.findPath('payment-flows/save-cards')).toBe('build-flows/save-cards')
  await repository.write({
    'SUMMARY.md': '* [Home](README.md)\n  * [Save cards](payment-flows/Save-Cards.md)\n\n## Build flows\n',
  })
  for (const path of ['build-flows/save-cards', 'payment-flows/save-cards', 'readme/save-cards']) {
    expect(await repository.findPath(path)).toBe('readme/save-cards')
  }
})

describe('malformed and oversized folders', () => {
  test('have a limited number of reported problems per file', async () => {
    const repository = await SyncedRepository.fromFiles({
      'README.md': page('Home', Array.from({ length: 5000 }, (_, index) => `[x](gone-${index}.md)`).join(' ')),
      'SUMMARY.md': `* [Home](README.md)\n${'junk\n'.repeat(5000)}`,
    })
    const count = (file: string) => repository.problems.filter((problem) => problem.file === file).length
    expect(count('README.md')).toBe(20)
    expect(count('SUMMARY.md')).toBe(200)
  })

  test('are imported without errors: nested lists, long lines, prototype names, malformed YAML', async () => {
    const repository = await SyncedRepository.fromFiles({
      'README.md': page('Home', 'a '.repeat(500_000)),
      'lists.md': Array.from({ length: 400 }, (_, index) => `${'  '.repeat(index)}- x`).join('\n'),
      'quotes.md': `${'> '.repeat(2000)}x`,
      '__proto__.md': page('Proto', '[c](constructor.md)'),
      'constructor.md': page('Constructor'),
      'a/../b.md': page('Dots'),
      '.gitbook.yaml': `root: ${'['.repeat(2000)}\n`,
      '.gitbook/vars.yaml': `__proto__: 1\nx: ${'{a: '.repeat(2000)}\n`,
      '.gitbook/tags.yaml': 'a: &a [*a, *a]\n',
      'bomb.md': `---\na: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n---\n\n# Bomb\n`,
    })
    expect((await repository.outline()).length).toBeGreaterThanOrEqual(6)
    expect(await repository.readMarkdown('__proto__')).toContain('page:constructor')
  })

  test('with thousands of files and lines are imported within the test timeout', async () => {
    const files: Record<string, string> = { 'README.md': page('Home') }
    for (let index = 0; index < 800; index++) files[`all/p${index}.md`] = 'x\n'
    const many = await SyncedRepository.fromFiles(files)
    expect(many.readCount).toBe(801)
    const lines = Array.from({ length: 3000 }, (_, index) => `${'  '.repeat(index % 40)}* [Same](https://example.com)`)
    await many.write({ 'SUMMARY.md': lines.join('\n') })
    await many.write({ 'SUMMARY.md': `${lines.join('\n')}\n* End\n` })
    expect((await many.outline()).length).toBe(3002)
  })
})

describe('links to folders', () => {
  test('resolve to the README, even next to an unlisted file of the same name', async () => {
    const repository = await SyncedRepository.fromFiles({
      'README.md': '# Home\n\n[slash](t/) [bare](t) [file](t.md) [anchor](t/#a)\n',
      'SUMMARY.md': '* [Home](README.md)\n* [T](t/README.md)\n  * [Below](t/below.md)\n',
      't.md': '# Not listed\n',
      't/README.md': '# T\n\n[self](./) [dot](.) [up](../)\n',
      't/below.md': '# Below\n\n[self](./) [dot](.) [up](../) [up](..) [around](../t)\n',
    })
    expect(await repository.readMarkdown('readme')).toBe(
      '[slash](page:t) [bare](page:t) [file](broken:t.md) [anchor](page:t#a)',
    )
    expect(await repository.readMarkdown('t')).toBe('[self](page:t) [dot](page:t) [up](page:readme)')
    expect(await repository.readMarkdown('t/below')).toBe(
      '[self](page:t) [dot](page:t) [up](page:readme) [up](page:readme) [around](page:t)',
    )
  })

  test('with a trailing slash resolve to the folder rather than to a page of the same name', async () => {
    const repository = await SyncedRepository.fromFiles({
      'README.md': '# Home\n\n[slash](t/) [bare](t) [file](t.md)\n',
      'SUMMARY.md': '* [Home](README.md)\n* [File](t.md)\n* [Folder](t/)\n',
      't.md': '# File\n\n[folder](./t/)\n',
      't/README.md': '# Folder\n\n[file](../t.md)\n',
    })
    expect(await repository.outline()).toEqual(['readme "Home"', 't "File"', 't-1 "Folder"'])
    expect(await repository.readMarkdown('readme')).toBe('[slash](page:t-1) [bare](page:t) [file](page:t)')
    expect(await repository.readMarkdown('t')).toBe('[folder](page:t-1)')
    expect(await repository.readMarkdown('t-1')).toBe('[file](page:t)')
    const id = await repository.getPageId('t-1')
    const changes = await repository.edit((draft) => repository.append(draft, id, 'More.'))
    expect(Object.keys(changes)).toEqual(['t/README.md'])
  })
})
