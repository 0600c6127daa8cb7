import { describe, expect, test } from 'vitest'
import type { Draft, PageBody } from '../../src/content/revision/draft.ts'
import { MemoryFolder } from '../support/folder.ts'
import { CountingObjects } from '../support/objects.ts'
import { SyncedRepository } from '../support/repository.ts'

const page = (title: string, text = `The text of ${title}.`) => `# ${title}\n\n${text}\n`
const top = { into: null }
const titled =
  (title: string) =>
  (body: PageBody): PageBody => ({ ...body, title })

/** Imports the folder of a repository into an empty store. */
async function elsewhere(repository: SyncedRepository): Promise<SyncedRepository> {
  const other = new SyncedRepository(new CountingObjects(), new MemoryFolder(repository.folder.contents))
  await other.import()
  return other
}

const small = {
  'README.md': page('Home', 'See [a](guide/a.md).'),
  'guide/README.md': page('Guide'),
  'guide/a.md': page('A', 'Up to [home](../README.md), beside [b](b.md#part).'),
  'guide/b.md': page('B'),
  'SUMMARY.md': `# Table of contents

* [Home](README.md)
* [Guide](guide/README.md)
  * [A](guide/a.md)
  * [B](guide/b.md)
`,
}

test('exporting unedited content changes no files', async () => {
  const repository = await SyncedRepository.fromFiles({
    ...small,
    '.gitbook/vars.yaml': 'a: 1\n',
    'left.md': 'x',
    'code.ts': 'y',
  })
  expect(await repository.export(repository.content.root)).toEqual({})
})

describe('a changed title', () => {
  test('is written to the heading, the front matter or only the table of contents', async () => {
    const repository = await SyncedRepository.fromFiles({
      'README.md': page('Home'),
      'b.md': '---\n# why\ntitle: B\nowner: me\n---\n\nText.\n',
      'c.md': 'Text.\n',
      'SUMMARY.md': '* [Home](README.md)\n* [B](b.md)\n* [C](c.md)\n* [Out](https://example.com)\n\n## Group\n',
    })
    const ids = (await repository.pages()).map(({ entry }) => entry.id)
    expect(await repository.edit((draft) => draft.updatePage(ids[0] ?? '', titled('Start & go')))).toEqual({
      'README.md': '# Start & go\n\nThe text of Home.\n',
      'SUMMARY.md': expect.stringContaining('* [Start & go](README.md)\n* [B](b.md)\n'),
    })
    expect(await repository.edit((draft) => draft.updatePage(ids[1] ?? '', titled('Bee')))).toEqual({
      'b.md': '---\n# why\ntitle: Bee\nowner: me\n---\n\nText.\n',
      'SUMMARY.md': expect.stringContaining('* [Bee](b.md)\n'),
    })
    expect(await repository.edit((draft) => draft.updatePage(ids[2] ?? '', titled('[C]')))).toEqual({
      'SUMMARY.md': expect.stringContaining('* [\\[C\\]](c.md)\n'),
    })
    expect(await repository.edit((draft) => draft.updatePage(ids[3] ?? '', titled('Away')))).toEqual({
      'SUMMARY.md': expect.stringContaining('* [Away](https://example.com)\n'),
    })
    await repository.edit((draft) => draft.updatePage(ids[4] ?? '', titled('Rest')))
    expect(repository.folder.contents.get('SUMMARY.md')).toMatch(/## Rest <a href="#group" id="group"><\/a>\n$/)
    expect(await (await elsewhere(repository)).describe()).toEqual(await repository.describe())
  })

  test('does not change a different link text in the table of contents', async () => {
    const repository = await SyncedRepository.fromFiles({
      'README.md': page('A very long title'),
      'a.md': page('A'),
      'SUMMARY.md': '* [Short](README.md)\n* [A](a.md)\n',
    })
    const changes = await repository.edit(async (draft) =>
      draft.updatePage(await repository.getPageId('readme'), (body) => ({ ...body, title: 'Another long title' })),
    )
    expect(Object.keys(changes)).toEqual(['README.md'])
  })

  test('is written to the file if there is no table of contents', async () => {
    const repository = await SyncedRepository.fromFiles({ 'README.md': page('Home'), 'a.md': 'Text.\n' })
    const changes = await repository.edit(async (draft) =>
      draft.updatePage(await repository.getPageId('a'), (body) => ({ ...body, title: 'Called' })),
    )
    expect(changes).toEqual({ 'a.md': '# Called\n\nText.\n' })
  })
})

describe('an edited page', () => {
  test('keeps all other bytes: byte order mark, line endings, comments, missing last newline', async () => {
    const source =
      '\ufeff---\r\n# comment\r\nowner: me\r\n---\r\n\r\n# Home\r\n\r\n*   one\r\n*   two\r\n\r\nLast __one__'
    const repository = await SyncedRepository.fromFiles({ 'README.md': source })
    const id = await repository.getPageId('readme')
    const changes = await repository.edit((draft) => repository.append(draft, id, 'More.'))
    expect(changes).toEqual({ 'README.md': `${source}\r\n\r\nMore.` })
  })

  test('keeps unknown front matter when its metadata changes', async () => {
    const repository = await SyncedRepository.fromFiles({
      'README.md': '---\nowner: me # not us\ndescription: Old\nlast_reviewed: 2024-01-01\n---\n\n# Home\n',
    })
    const changes = await repository.edit(async (draft) =>
      draft.updatePage(await repository.getPageId('readme'), (body) => {
        const { description: _, ...rest } = body
        return { ...rest, icon: 'bolt', hidden: true }
      }),
    )
    const text = changes['README.md'] ?? ''
    expect(text).toContain('owner: me # not us\n')
    expect(text).toContain('last_reviewed: 2024-01-01\n')
    expect(text).toContain('icon: bolt\n')
    expect(text).toContain('hidden: true\n')
    expect(text).not.toContain('description')
  })

  test('keeps its title when its document is removed', async () => {
    const repository = await SyncedRepository.fromFiles(small)
    const changes = await repository.edit(async (draft) =>
      draft.updatePage(await repository.getPageId('guide/b'), (body) => {
        const { document: _, ...rest } = body
        return rest
      }),
    )
    expect(changes).toEqual({ 'guide/b.md': '# B\n' })
  })
})

const insert =
  (repository: SyncedRepository, id: string, slug: string, into: string | null, at?: number) => (draft: Draft) =>
    draft.insertPage({ id, type: 'document', slug, body: repository.body(`Title of ${slug}`, 'New.') }, { into, at })

describe('an added page', () => {
  test('is written to the folder of its siblings, group or parent', async () => {
    const repository = await SyncedRepository.fromFiles(small)
    const guide = await repository.getPageId('guide')
    const changes = await repository.edit(async (draft) => {
      await insert(repository, 'n1', 'new', guide, 1)(draft)
      await insert(repository, 'n2', 'below', 'n1')(draft)
      await draft.insertPage({ id: 'g', type: 'group', slug: 'more', body: repository.body('More') }, top)
      await insert(repository, 'n3', 'grouped', 'g')(draft)
      await insert(repository, 'n4', 'under', await repository.getPageId('readme'))(draft)
    })
    expect(changes).toEqual({
      'guide/new/README.md': page('Title of new', 'New.'),
      'guide/new/below.md': page('Title of below', 'New.'),
      'more/grouped.md': page('Title of grouped', 'New.'),
      'readme/under.md': page('Title of under', 'New.'),
      'SUMMARY.md': `# Table of contents

* [Home](README.md)
  * [Title of under](readme/under.md)
* [Guide](guide/README.md)
  * [A](guide/a.md)
  * [Title of new](guide/new/README.md)
    * [Title of below](guide/new/below.md)
  * [B](guide/b.md)

## More

* [Title of grouped](more/grouped.md)
`,
    })
    expect(await (await elsewhere(repository)).describe()).toEqual(await repository.describe())
  })

  test('does not overwrite an existing file', async () => {
    const repository = await SyncedRepository.fromFiles({
      ...small,
      'guide/new.md': 'Somebody else’s.\n',
      'guide/B2.md': 'Mine.\n',
    })
    const guide = await repository.getPageId('guide')
    const changes = await repository.edit(async (draft) => {
      await insert(repository, 'n1', 'new', guide)(draft)
    })
    expect(Object.keys(changes)).toEqual(['guide/new (1).md', 'SUMMARY.md'])
    expect(changes['SUMMARY.md']).toContain('  * [Title of new](<guide/new (1).md>)\n')
    expect(repository.folder.contents.get('guide/new.md')).toBe('Somebody else’s.\n')
  })

  test('contains relative links to pages and files', async () => {
    const repository = await SyncedRepository.fromFiles({ ...small, '.gitbook/assets/a (1).png': 'bytes' })
    const [file] = await repository.files()
    const a = await repository.getPageId('guide/a')
    const changes = await repository.edit((draft) =>
      draft.insertPage(
        {
          id: 'n',
          type: 'document',
          slug: 'n',
          body: repository.body('N', `[a](/pages/${a}#part) [self](/pages/n) [file](/files/${file?.id})`),
        },
        top,
      ),
    )
    expect(changes['n.md']).toBe('# N\n\n[a](guide/a.md#part) [self](n.md) [file](<.gitbook/assets/a (1).png>)\n')
  })
})

test('removing a page deletes its file and keeps links to it as written', async () => {
  const repository = await SyncedRepository.fromFiles(small)
  const changes = await repository.edit(async (draft) => draft.deletePage(await repository.getPageId('guide/a')))
  expect(changes).toEqual({
    'guide/a.md': null,
    'SUMMARY.md': small['SUMMARY.md'].replace('  * [A](guide/a.md)\n', ''),
  })
})

test('moving a page keeps its file and moves its line in the table of contents', async () => {
  const repository = await SyncedRepository.fromFiles(small)
  const changes = await repository.edit(async (draft) =>
    draft.movePage(await repository.getPageId('guide/a'), { into: null, at: 0 }),
  )
  expect(changes).toEqual({
    'SUMMARY.md': `# Table of contents

* [A](guide/a.md)
* [Home](README.md)
* [Guide](guide/README.md)
  * [B](guide/b.md)
`,
  })
})

describe('a changed slug', () => {
  test('renames the file and changes only the links to it in other files', async () => {
    const repository = await SyncedRepository.fromFiles({
      ...small,
      'README.md':
        '# Home\n\nSoft\nwrap. See [a](guide/a.md#x) and <a href="guide/a.md" class="button">A</a>\n\n*   list\n',
      'other.md': page('Other', 'Not [a](guide/a.md)?'),
      '.gitbook/includes/note.md': 'In a note: [a](../../guide/a.md).\n',
      '.gitbook.yaml': '# ours\nredirects:\n  old: ./guide/a.md # keep\n  b: guide/b.md\n',
    })
    const changes = await repository.edit(async (draft) =>
      draft.renamePage(await repository.getPageId('guide/a'), 'alpha'),
    )
    expect(changes).toEqual({
      'guide/a.md': null,
      'guide/alpha.md': small['guide/a.md'],
      'README.md': expect.stringContaining('# Home\n\nSoft'),
      '.gitbook/includes/note.md': 'In a note: [a](../../guide/alpha.md).\n',
      '.gitbook.yaml': '# ours\nredirects:\n  old: ./guide/alpha.md # keep\n  b: guide/b.md\n',
      'SUMMARY.md': small['SUMMARY.md'].replace('guide/a.md', 'guide/alpha.md'),
    })
    expect(changes['README.md']).toContain('[a](guide/alpha.md#x)')
    expect(changes['README.md']).toContain('href="guide/alpha.md"')
    expect(changes['README.md']).toContain('\n\n*   list\n')
    expect(await repository.findPath('guide/a')).toBe('guide/alpha')
  })

  test('of a folder page moves only its README', async () => {
    const repository = await SyncedRepository.fromFiles(small)
    const changes = await repository.edit(async (draft) =>
      draft.renamePage(await repository.getPageId('guide'), 'manual'),
    )
    expect(changes).toEqual({
      'guide/README.md': null,
      'manual/README.md': small['guide/README.md'],
      'SUMMARY.md': small['SUMMARY.md'].replace('guide/README.md', 'manual/README.md'),
    })
    const other = await elsewhere(repository)
    expect(await other.outline()).toEqual(await repository.outline())
  })
})

describe('groups, links and computed pages', () => {
  test('are written to the table of contents', async () => {
    const repository = await SyncedRepository.fromFiles({ ...small, 'SUMMARY.md': `${small['SUMMARY.md']}\n## Rest\n` })
    const rest = await repository.getPageId('rest')
    const a = await repository.getPageId('guide/a')
    await repository.edit(async (draft) => {
      await draft.insertPage({ id: 'g', type: 'group', slug: 'api', body: repository.body('Reference') }, top)
      await draft.insertPage(
        {
          id: 'l',
          type: 'link',
          slug: 'l',
          body: repository.body('Out', undefined, { target: { kind: 'url', url: 'https://example.com' } }),
        },
        { into: 'g' },
      )
      await draft.insertPage(
        {
          id: 'l2',
          type: 'link',
          slug: 'l2',
          body: repository.body('To A', undefined, { target: { kind: 'page', page: a } }),
        },
        { into: 'g' },
      )
      await draft.insertPage(
        {
          id: 'c',
          type: 'computed',
          slug: 'c',
          body: repository.body('API', undefined, {
            computed: {
              type: 'builtin:openapi',
              props: { models: true },
              dependencies: { spec: { ref: { kind: 'openapi', spec: 'pets' } } },
            },
          }),
        },
        { into: 'g' },
      )
      await draft.deletePage(rest)
    })
    expect(repository.folder.contents.get('SUMMARY.md')).toBe(`${small['SUMMARY.md']}
## Reference <a href="#api" id="api"></a>

* [Out](https://example.com)
* [To A](guide/a.md)
* \`\`\`yaml
  type: builtin:openapi
  props:
    models: true
  dependencies:
    spec:
      ref:
        kind: openapi
        spec: pets
  \`\`\`
`)
    const { root } = repository.content
    await repository.import()
    expect(repository.content.root).toBe(root)
  })
})

describe('assets', () => {
  test('are added, replaced, renamed with the links to them, and removed', async () => {
    const repository = await SyncedRepository.fromFiles({
      'README.md': page('Home', '[p](.gitbook/assets/p.png) and [q](.gitbook/assets/q.png)'),
      '.gitbook/assets/p.png': 'p',
      '.gitbook/assets/q.png': 'q',
    })
    const files = await repository.files()
    const idOf = (name: string) => files.find((file) => file.name === name)?.id ?? ''
    const file = (name: string, text: string) => ({
      name,
      contentType: 'image/png',
      size: 1,
      blob: repository.blob(text),
    })
    expect(
      await repository.edit(async (draft) => {
        draft.files.set('new', file('p.png', 'new'))
        draft.files.set(idOf('q.png'), file('q.png', 'better'))
      }),
    ).toEqual({ '.gitbook/assets/p (1).png': 'new', '.gitbook/assets/q.png': 'better' })
    const renamed = await repository.edit(async (draft) => {
      draft.files.set(idOf('p.png'), file('plan b.png', 'p'))
      draft.files.set(idOf('q.png'), null)
    })
    expect(renamed).toEqual({
      '.gitbook/assets/p.png': null,
      '.gitbook/assets/plan b.png': 'p',
      '.gitbook/assets/q.png': null,
      'README.md': page('Home', '[p](<.gitbook/assets/plan b.png>) and [q](.gitbook/assets/q.png)'),
    })
  })

  test('remain in the assets folder if their names contain path separators', async () => {
    const repository = await SyncedRepository.fromFiles({ 'README.md': page('Home') })
    const names = ['../../etc/passwd', '.git/config', '..', 'a\\b', 'con\u0000trol']
    const changes = await repository.edit(async (draft) => {
      names.forEach((name, index) =>
        draft.files.set(`f${index}`, { name, contentType: 'x/y', size: 1, blob: repository.blob(name) }),
      )
    })
    expect(Object.keys(changes)).toHaveLength(names.length)
    for (const path of Object.keys(changes)) expect(path).toMatch(/^\.gitbook\/assets\/[^/\\]+$/)
  })
})

test('reusable contents are added, edited and retitled', async () => {
  const repository = await SyncedRepository.fromFiles({
    'README.md': page('Home', '{% include ".gitbook/includes/note.md" %}'),
    '.gitbook/includes/note.md': '---\n# ours\ntitle: Note\n---\n\nOld text.\n',
  })
  const [note] = await repository.listReusableContents()
  const changes = await repository.edit(async (draft) => {
    draft.reusableContents.set(note?.id ?? '', { title: 'Remark', document: repository.writeDocument('New text.') })
    draft.reusableContents.set('r', { title: 'Another one', document: repository.writeDocument('Other.') })
    await repository.append(draft, await repository.getPageId('readme'), '{% include "/reusable-content/r" %}')
  })
  expect(changes).toEqual({
    '.gitbook/includes/note.md': '---\n# ours\ntitle: Remark\n---\n\nNew text.\n',
    '.gitbook/includes/another-one.md': '---\ntitle: Another one\n---\n\nOther.\n',
    'README.md': page(
      'Home',
      '{% include ".gitbook/includes/note.md" %}\n\n{% include ".gitbook/includes/another-one.md" %}',
    ),
  })
})

test('variables and tags are edited in their files, which are created if missing', async () => {
  const repository = await SyncedRepository.fromFiles({
    'README.md': page('Home'),
    '.gitbook/vars.yaml': '# ours\na: 1 # one\nb: two\n',
  })
  const changes = await repository.edit(async (draft) => {
    draft.setVariables({ a: 2, c: 'three' })
    draft.setTags({ new: { label: 'New' } })
  })
  expect(changes['.gitbook/vars.yaml']).toBe('# ours\na: 2 # one\nc: three\n')
  expect(changes['.gitbook/tags.yaml']).toBe('- tag: new\n  label: New\n')
  const cleared = await repository.edit(async (draft) => draft.setVariables({}))
  expect(cleared['.gitbook/vars.yaml']).not.toContain('a: 2')
  expect((await (await elsewhere(repository)).tree()).root.variables).toEqual({})
})

test('a folder without a table of contents gets one when the page tree no longer matches the folders', async () => {
  const { 'SUMMARY.md': _, ...files } = small
  const repository = await SyncedRepository.fromFiles(files)
  const edited = await repository.edit(async (draft) =>
    repository.append(draft, await repository.getPageId('guide/b'), 'More.'),
  )
  expect(Object.keys(edited)).toEqual(['guide/b.md'])
  const moved = await repository.edit(async (draft) =>
    draft.movePage(await repository.getPageId('guide/b'), { into: null, at: 0 }),
  )
  expect(moved).toEqual({
    'SUMMARY.md': `# Table of contents

* [B](guide/b.md)
* [Home](README.md)
* [Guide](guide/README.md)
  * [A](guide/a.md)
`,
  })
})

test('all files are written to the root and the table of contents set in .gitbook.yaml', async () => {
  const repository = await SyncedRepository.fromFiles({
    '.gitbook.yaml': 'root: ./docs\nstructure:\n  summary: toc.md\n',
    'docs/README.md': page('Home'),
    'docs/toc.md': '* [Home](README.md)\n',
    'new.md': 'Not ours.\n',
  })
  const changes = await repository.edit(async (draft) => {
    await draft.insertPage({ id: 'n', type: 'document', slug: 'new', body: repository.body('New', 'Text.') }, top)
    draft.setVariables({ a: 1 })
  })
  expect(changes).toEqual({
    'docs/new.md': page('New', 'Text.'),
    'docs/toc.md': '* [Home](README.md)\n* [New](new.md)\n',
    'docs/.gitbook/vars.yaml': 'a: 1\n',
  })
})

test('content that was never imported is exported completely and imported unchanged', async () => {
  const repository = new SyncedRepository()
  const root = await repository.draft(async (draft) => {
    const body = repository.body.bind(repository)
    await draft.insertPage(
      { id: 'h', type: 'document', slug: 'readme', body: body('Home', 'See [b](/pages/b) and ![](/files/f).') },
      top,
    )
    await draft.insertPage({ id: 'g', type: 'group', slug: 'guides', body: body('All guides') }, top)
    await draft.insertPage(
      { id: 'a', type: 'document', slug: 'a', body: body('A', undefined, { hidden: true }) },
      { into: 'g' },
    )
    await draft.insertPage(
      { id: 'b', type: 'document', slug: 'b.c', body: body('B', '{% include "/reusable-content/n" %}') },
      { into: 'a' },
    )
    await draft.insertPage(
      { id: 'r', type: 'document', slug: 'readme', body: body('Another readme', 'x') },
      { into: 'g' },
    )
    draft.reusableContents.set('n', { title: 'Note', document: repository.writeDocument('[a](/pages/a)') })
    draft.files.set('f', { name: 'f.png', contentType: 'image/png', size: 1, blob: repository.blob('f') })
    draft.setVariables({ x: true })
    draft.setTags({ t: { label: 'T', color: 'red' } })
  })
  const changes = await repository.export(root)
  expect(Object.keys(changes).sort()).toEqual([
    '.gitbook/assets/f.png',
    '.gitbook/includes/note.md',
    '.gitbook/tags.yaml',
    '.gitbook/vars.yaml',
    'README.md',
    'SUMMARY.md',
    'guides/a/README.md',
    'guides/a/b.c.md',
    'guides/readme/README.md',
  ])
  expect(await (await elsewhere(repository)).describe()).toEqual(await repository.describe())
  await repository.import()
  expect(repository.content.root).toBe(root)
})

test('the table of contents keeps the spelling of its links', async () => {
  const summary = '* [Home](./)\n* [Guide](guide/)\n  * [Install](guide/install)\n* [Last](./last.md)\n'
  const repository = await SyncedRepository.fromFiles({
    'README.md': '# Home\n',
    'guide/README.md': '# Guide\n',
    'guide/install.md': '# Install\n',
    'last.md': '# Last\n',
    'SUMMARY.md': summary,
  })
  const last = (await repository.pages()).find((node) => node.page.title === 'Last')
  expect(await repository.edit((draft) => draft.deletePage(last?.entry.id ?? ''))).toMatchObject({
    'SUMMARY.md': '* [Home](./)\n* [Guide](guide/)\n  * [Install](guide/install)\n',
  })
})
