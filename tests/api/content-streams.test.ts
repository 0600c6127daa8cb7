import { expect, test } from 'vitest'
import type { PageTree } from '../../src/contract/content.ts'
import { editLive, emptySpace, insertPage } from '../support/content.ts'
import { serverForTest } from '../support/server.ts'

test('a large page tree has the same content in every encoding and returns 304 until it changes', async () => {
  const octavo = await serverForTest()
  const { admin } = octavo
  const spaceId = await emptySpace(admin)
  const [top = ''] = await editLive(admin, spaceId, insertPage('# Top'))
  for (let round = 0; round < 4; round++) {
    const pages = Array.from({ length: 50 }, (_, index) =>
      insertPage(`---\ndescription: ${'Words '.repeat(20)}\n---\n# Page ${round} ${index}`, { into: top }),
    )
    await editLive(admin, spaceId, ...pages)
  }
  const path = `/v1/spaces/${spaceId}/content/pages`
  const get = (headers: Record<string, string>) => octavo.fetch(path, { token: admin.token, headers })
  const plain = await get({ 'accept-encoding': 'identity' })
  const text = await plain.text()
  expect(text.length).toBeGreaterThan(100_000)
  const { pages } = JSON.parse(text) as PageTree
  const [only] = pages
  expect(only && 'pages' in only && only.pages.map(({ title }) => title)).toEqual(
    Array.from({ length: 200 }, (_, index) => `Page ${Math.floor(index / 50)} ${index % 50}`),
  )

  for (const encoding of ['br', 'gzip']) {
    // fetch decompresses the reply, so the texts can be compared.
    const packed = await get({ 'accept-encoding': encoding })
    expect(packed.headers.get('content-encoding')).toBe(encoding)
    expect(packed.headers.get('etag')).toBe(plain.headers.get('etag')?.replace(/"$/, `-${encoding}"`))
    expect(await packed.text()).toBe(text)
  }

  const etag = plain.headers.get('etag') ?? ''
  expect((await get({ 'if-none-match': etag })).status).toBe(304)
  await editLive(admin, spaceId, insertPage('# One more'))
  expect((await get({ 'if-none-match': etag })).status).toBe(200)
})
