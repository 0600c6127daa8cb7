import { expect, test } from 'vitest'
import { RepositoryFiles } from '../../src/content/repository/files.ts'
import { type PlannedPage, planRepository } from '../../src/content/repository/plan.ts'
import { createFileReferences } from '../../src/content/repository/references.ts'

function plan(paths: string[], summary?: string) {
  let id = 0
  const repository = planRepository({
    files: new RepositoryFiles(paths),
    newId: () => `id${id++}`,
    idOfFile: () => `id${id++}`,
    ...(summary !== undefined && { summary: { file: 'SUMMARY.md', text: summary } }),
  })
  return { ...repository, shape: repository.pages.map(shapeOf) }
}

/** Returns the slug of a page with the pages below it. */
function shapeOf({ slug, content, children }: PlannedPage): unknown {
  const name = content.type === 'document' ? slug : `${content.type} ${slug}`
  return children.length > 0 ? { [name]: children.map(shapeOf) } : name
}

test('the page tree is built from the table of contents, without unlisted files', () => {
  const { shape, problems } = plan(
    ['README.md', 'start/README.md', 'start/install.md', 'reference/api.md', 'left-out.md'],
    `# Table of contents

* [Home](README.md)
* [Start](start/README.md)
  * [Install](start/install.md "Installing")

## Reference <a href="#ref" id="ref"></a>

* [API](reference/api.md)

***

* [Elsewhere](https://example.com)
`,
  )
  expect(shape).toEqual(['readme', { start: ['install'] }, { 'group ref': ['api'] }, 'link elsewhere'])
  expect(problems).toEqual([])
})

test('a missing file becomes an empty page and a duplicate a link, and both are reported', () => {
  const { pages, problems, pageOfFile } = plan(['a.md'], '* [A](a.md)\n* [Gone](sub/gone.md)\n* [Again](a.md)\n')
  expect(pages.map(({ slug, content }) => ({ slug, ...content }))).toEqual([
    { slug: 'a', type: 'document', file: 'a.md' },
    { slug: 'gone', type: 'document', missing: 'sub/gone.md' },
    { slug: 'again', type: 'link', destination: 'a.md' },
  ])
  expect(pageOfFile.get('a.md')).toBe(pages[0]?.id)
  expect(problems.map(({ file, line }) => [file, line])).toEqual([
    ['SUMMARY.md', 2],
    ['SUMMARY.md', 3],
  ])
})

test('pages listed below a link are placed after it', () => {
  const { shape } = plan(['a.md'], '* [Out](https://example.com)\n  * [A](a.md)\n')
  expect(shape).toEqual(['link out', 'a'])
})

test('the page tree is built from folders if there is no table of contents', () => {
  const { shape } = plan(['zoo.md', 'README.md', 'guide/b.md', 'guide/README.md', 'guide/deep/c.md', '.hidden/x.md'])
  expect(shape).toEqual(['readme', { guide: ['b', { deep: ['c'] }] }, 'zoo'])
})

test('links resolve to pages, anchors and files in every supported spelling', () => {
  const files = new RepositoryFiles(['README.md', 'guide/README.md', 'guide/set up.md', '.gitbook/assets/A (1).png'])
  const names = {
    files,
    pageOfFile: new Map([
      ['README.md', 'home'],
      ['guide/README.md', 'guide'],
      ['guide/set up.md', 'setup'],
    ]),
    assetOfFile: (path: string) => (path === '.gitbook/assets/A (1).png' ? 'picture' : undefined),
    reusableContentOfFile: new Map<string, string>(),
    isMissing: (path: string) => files.find(path) === undefined,
  }
  const references = createFileReferences(names, 'guide/set up.md')
  const read = (destination: string) => references.resolve(destination)
  expect(read('../README.md')).toEqual({ kind: 'page', page: 'home' })
  expect(read('../')).toEqual({ kind: 'page', page: 'home' })
  expect(read('./')).toEqual({ kind: 'page', page: 'guide' })
  expect(read('../guide')).toEqual({ kind: 'page', page: 'guide' })
  expect(read('set%20up.md#part')).toEqual({ kind: 'anchor', anchor: 'part', page: 'setup' })
  expect(read('/GUIDE/Set Up')).toEqual({ kind: 'page', page: 'setup' })
  expect(read('#part')).toEqual({ kind: 'anchor', anchor: 'part' })
  expect(read('../.gitbook/assets/A%20(1).png')).toEqual({ kind: 'file', file: 'picture' })
  for (const kept of ['https://example.com/x', 'mailto:a@b.c', '../../outside.md', 'missing.md']) {
    expect(read(kept)).toEqual({ kind: 'url', url: kept })
  }
})
