import { expect, test } from 'vitest'
import type { RevisionPage } from '../../src/contract/revision.ts'
import { readManual } from '../../src/manual.ts'
import { serverForTest } from '../support/server.ts'

const titles = (pages: readonly RevisionPage[]): unknown[] =>
  pages.map((page) => ('pages' in page && page.pages.length > 0 ? [page.title, titles(page.pages)] : page.title))

test('the first start brings the manual as the content of the first space', async () => {
  const { admin } = await serverForTest({}, { readManual })
  const params = { spaceId: admin.spaceId }
  const { pages } = await admin.api.listPages({ params })
  expect(titles(pages)).toMatchObject([
    'Octavo',
    'Getting started',
    ['Writing', expect.arrayContaining(['Markdown'])],
    ['Publishing', expect.arrayContaining(['Published sites'])],
    ['Using the API', expect.arrayContaining(['Conventions'])],
    ['Running a server', expect.arrayContaining(['Configuration'])],
  ])

  const home = await admin.api.getPageByPath({
    params: { ...params, pagePath: 'readme' },
    query: { format: 'markdown' },
  })
  expect(home).toMatchObject({ title: 'Octavo', description: 'Documentation publishing that you run yourself.' })
  // Links between the files are links between the pages, also into a group.
  expect('markdown' in home && home.markdown).toContain('[Getting started](getting-started.md)')
  const conventions = await admin.api.getPageByPath({
    params: { ...params, pagePath: 'using-the-api/conventions' },
    query: { format: 'document' },
  })
  const stable = await admin.api.getPageById({
    params: { ...params, pageId: home.id },
    query: { format: 'markdown', 'format.markdown.refs': 'stable' },
  })
  expect('markdown' in stable && stable.markdown).toContain(`[Conventions](/pages/${conventions.id})`)
})
