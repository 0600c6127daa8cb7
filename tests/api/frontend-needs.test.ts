import { GitBookAPI } from '@gitbook/api'
import { expect, onTestFinished, test } from 'vitest'
import type { RevisionPage } from '../../src/contract/revision.ts'
import { emptySpace } from '../support/content.ts'
import { exportTo, importFrom } from '../support/git.ts'
import { startGitServer } from '../support/git-server.ts'
import { petSpec, putSpec } from '../support/openapi.ts'
import { publishSpaces } from '../support/published-sites.ts'
import { serverForTest } from '../support/server.ts'

// Requirements of front ends that are not part of the reply schemas.

const summary = `# Table of contents

* [Home](README.md)
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
* [Last](last.md)
`

const typesOf = (pages: readonly RevisionPage[]) => pages.map(({ type }) => type)

test('lists generated pages instead of computed ones, and keeps the declaration in the repository', async () => {
  const octavo = await serverForTest({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
  const { api } = octavo.admin
  const server = await startGitServer()
  onTestFinished(() => server.close())
  const repository = server.repository('computed')
  const files = { 'README.md': '# Home\n', 'last.md': '# Last\n', 'SUMMARY.md': summary }
  const commit = repository.commit(files)
  const spaceId = await emptySpace(octavo.admin)
  const params = { spaceId }
  await importFrom(octavo.admin, spaceId, repository)
  expect(typesOf((await api.listPages({ params })).pages)).toEqual(['document', 'document'])
  expect(typesOf((await api.getCurrentRevision({ params })).pages)).toEqual(['document', 'document'])
  expect(typesOf((await api.listPages({ params, query: { computed: false } })).pages)).toEqual([
    'document',
    'computed',
    'document',
  ])
  await putSpec(octavo.admin, 'pets', { text: JSON.stringify(petSpec()) })
  expect(typesOf((await api.listPages({ params })).pages)).toEqual(['document', 'document', 'document'])
  const { base } = await publishSpaces(octavo, [spaceId])
  for (const path of ['', 'llms.txt', 'sitemap.xml', 'computed']) {
    const reply = await fetch(`${base}${path}`)
    expect(await reply.text(), path).not.toContain('builtin:openapi')
    expect(reply.status, path).toBe(path === 'computed' ? 404 : 200)
  }
  expect(await exportTo(octavo.admin, spaceId, repository)).toMatchObject({ state: 'success', commit })
  expect(repository.read('SUMMARY.md')).toBe(summary)
})

test('every site space has a customization, and ids are valid CSS identifiers', async () => {
  const octavo = await serverForTest()
  const { api } = octavo.admin
  const spaces = [await emptySpace(octavo.admin), await emptySpace(octavo.admin)]
  const { params } = await publishSpaces(octavo, spaces)
  await api.addSectionToSite({ params, body: { spaceId: await emptySpace(octavo.admin) } })
  const { items } = await api.listSiteSpaces({ params })
  const [first] = items
  await api.overrideSiteSpaceCustomizationById({
    params: { ...params, siteSpaceId: first?.id ?? '' },
    body: { styling: { primaryColor: { light: '#112233', dark: '#112233' } } },
  })
  const client = new GitBookAPI({ endpoint: octavo.url, authToken: octavo.admin.token })
  const { data } = await client.orgs.getPublishedContentSite(params.organizationId, params.siteId)
  const { site, siteSpaces } = data.customizations
  expect(Object.keys(siteSpaces).sort()).toEqual(items.map(({ id }) => id).sort())
  expect(site.pageActions.items).toContain('mcp')
  for (const { id } of items) {
    if (id === first?.id) expect(siteSpaces[id]?.styling.primaryColor.light).toBe('#112233')
    else expect(siteSpaces[id]).toEqual(site)
  }
  const sections = data.structure.type === 'sections' ? data.structure.structure : []
  expect(sections.length).toBeGreaterThan(0)
  for (const { id } of [...sections, ...items]) expect(id).toMatch(/^[a-z]/)
})
