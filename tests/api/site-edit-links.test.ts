import { expect, test } from 'vitest'
import { editLive, insertPage } from '../support/content.ts'
import { exportTo } from '../support/git.ts'
import { gitServerForTest } from '../support/git-server.ts'
import { CookieClient } from '../support/cookie-client.ts'
import { publishPages } from '../support/published-sites.ts'
import { serverForTest } from '../support/server.ts'

test('pages have an edit link while their space has a repository and the site enables edit links', async () => {
  const octavo = await serverForTest({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1' })
  const server = await gitServerForTest()
  const { api } = octavo.admin
  const { base, params, spaceId } = await publishPages(octavo, [insertPage('# Home'), insertPage('# Two')])
  const editAt = async (path: string) =>
    /<a class="edit" href="([^"]*)"/.exec(await new CookieClient().text(base + path))?.[1]
  await api.updateSiteCustomizationById({ params, body: { git: { showEditLink: true } } })
  expect(await editAt('two')).toBeUndefined()
  const options = { gitInfo: { provider: 'github' as const }, repoTreeURL: 'https://github.com/acme/docs/tree/main' }
  await exportTo(octavo.admin, spaceId, server.repository('edited'), options)
  expect(await editAt('two')).toBe('https://github.com/acme/docs/edit/main/two.md')
  expect(await editAt('')).toBe('https://github.com/acme/docs/edit/main/README.md')
  await editLive(octavo.admin, spaceId, insertPage('# Three'))
  expect(await editAt('three')).toBeUndefined()
  await api.updateSpaceGitInfo({ params: { spaceId }, body: { provider: 'gitlab' } })
  expect(await editAt('two')).toBe('https://github.com/acme/docs/-/edit/main/two.md')
  await api.updateSiteCustomizationById({ params, body: { git: { showEditLink: false } } })
  expect(await editAt('two')).toBeUndefined()
  await api.updateSiteCustomizationById({ params, body: { git: { showEditLink: true } } })
  expect(await editAt('two')).toBe('https://github.com/acme/docs/-/edit/main/two.md')
  await api.updateSpaceGitInfo({ params: { spaceId }, body: { provider: 'github' } })
  expect(await editAt('two')).toBe('https://github.com/acme/docs/edit/main/two.md')
  await api.removeSpaceGitInfo({ params: { spaceId } })
  expect(await editAt('two')).toBeUndefined()
})
