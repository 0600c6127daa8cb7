import { expect, test } from 'vitest'
import { editLive, emptySpace, updatePage } from '../support/content.ts'
import { createSpaceReader, exportTo, importFrom } from '../support/git.ts'
import type { GitServer } from '../support/git-server.ts'
import { gitServersForFile } from '../support/git-servers.ts'
import { petSpec, putSpec } from '../support/openapi.ts'
import type { TestServer } from '../support/server.ts'

let octavo: TestServer
let server: GitServer

gitServersForFile((started) => ({ octavo, server } = started))

const source = (indent: string) =>
  [
    'type: builtin:openapi',
    'props:',
    '  models: true',
    'dependencies:',
    '  spec:',
    '    ref:',
    '      kind: openapi',
    '      spec: store',
  ]
    .map((line) => indent + line)
    .join('\n')

const files = {
  'README.md': '# Home\n',
  'reference.md': `---\ncomputed:\n${source('  ')}\n---\n\n# Reference\n\nRead this first.\n`,
  'SUMMARY.md': `# Table of contents

* [Home](README.md)

## API

* \`\`\`yaml
${source('  ')}
  \`\`\`
* [Reference](reference.md)
`,
}

test('computed pages of a repository are expanded, and exported as they were', async () => {
  const tags = { paths: { '/pets': { get: { tags: ['pets'] } } }, components: { schemas: { Pet: {} } } }
  await putSpec(octavo.admin, 'store', { text: JSON.stringify(petSpec('Store', tags)) })
  const repository = server.repository('computed')
  const first = repository.commit(files)
  const spaceId = await emptySpace(octavo.admin)
  expect(await importFrom(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success', commit: first })
  const { pages } = await octavo.admin.api.listPages({ params: { spaceId } })
  const [home, api] = pages
  if (home?.type !== 'document' || api?.type !== 'group') throw new Error('The pages are others')
  expect(api.pages.map((page) => 'path' in page && page.path)).toEqual(['api/pets', 'api/models', 'api/reference'])
  const reference = api.pages[2]
  expect(reference?.type === 'document' && reference.pages.map((page) => 'path' in page && page.path)).toEqual([
    'api/reference/pets',
    'api/reference/models',
  ])

  expect(await exportTo(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success', commit: first })
  const { idAt } = createSpaceReader(octavo, spaceId)
  await editLive(
    octavo.admin,
    spaceId,
    updatePage(await idAt('readme'), { title: 'Start' }),
    updatePage(await idAt('api/reference'), { icon: 'book' }),
  )
  expect(await exportTo(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success' })
  expect(repository.read('SUMMARY.md')).toBe(files['SUMMARY.md'].replace('[Home]', '[Start]'))
  expect(repository.read('reference.md')).toBe(files['reference.md'].replace('---\n', '---\nicon: book\n'))
})
