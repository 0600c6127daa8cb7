import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { seconds } from '../../src/kernel/time.ts'
import { editLive, emptySpace, insertPage, propose } from '../support/content.ts'
import { publishSpaces } from '../support/published-sites.ts'
import { type TestServer, serverForTest, waitUntil } from '../support/server.ts'

// Front ends cache replies by tags and receive a request with the tags that changed.

interface Call {
  tags: string[]
  body: string
  signature: string | undefined
}

/** Starts a front end that records revalidation requests and fails a configurable number of times. */
async function startFrontEnd() {
  const calls: Call[] = []
  const settings = { failures: 0 }
  const server = createServer((request, reply) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.on('end', () => {
      const isFailing = settings.failures-- > 0
      const { tags } = JSON.parse(body) as { tags: string[] }
      const signature = request.headers['x-gitbook-signature'] as string | undefined
      if (!isFailing) calls.push({ tags, body, signature })
      reply.writeHead(isFailing ? 500 : 200).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/~gitbook/revalidate`
  return { url, calls, settings }
}

/** Runs a function and waits until the front end has received all given tags. */
async function tellsOf(calls: Call[], tags: string[], work: () => Promise<unknown>): Promise<void> {
  calls.length = 0
  await work()
  const told = async () => tags.every((tag) => calls.some((call) => call.tags.includes(tag)))
  await waitUntil(told, `the front end is told of ${tags.join(', ')}`)
}

const jobsNamed = ({ server: { app } }: TestServer, name: string) =>
  app.database.reader.selectFrom('jobs').select(['state']).where('name', '=', name).execute()

test('sends signed revalidation requests with the changed tags to the front end', async () => {
  const secret = 'a secret that both know'
  const { url, calls } = await startFrontEnd()
  const octavo = await serverForTest({ OCTAVO_REVALIDATE_URL: url, OCTAVO_REVALIDATE_SECRET: secret })
  const { admin } = octavo
  const { api } = admin
  const spaceId = await emptySpace(admin)
  const { params, base } = await publishSpaces(octavo, [spaceId])
  const space = `space:${spaceId}`
  const site = `site:${params.siteId}`
  const host = `url:${new URL(base).hostname}`
  await tellsOf(calls, [space], () => editLive(admin, spaceId, insertPage('# A')))
  for (const { body, signature } of calls) {
    expect(signature).toBe(createHmac('sha256', secret).update(body).digest('hex'))
  }
  const proposal = await propose(admin, spaceId)
  const { number } = await api.getChangeRequestById({ params: proposal.params })
  const request = [`${space}:change-request:${proposal.id}`, `${space}:change-request:${number}`]
  await tellsOf(calls, request, () => proposal.edit(insertPage('# B')))
  await tellsOf(calls, [space, ...request], proposal.merge)
  await tellsOf(calls, [space, site, host], () =>
    api.updateSpaceById({ params: { spaceId }, body: { title: 'Other' } }),
  )
  await tellsOf(calls, [site, host], () => api.updateSiteById({ params, body: { title: 'Other' } }))
  await tellsOf(calls, [site, host], () => api.unpublishSite({ params }))
  await tellsOf(calls, [space, site], () => api.deleteSpaceById({ params: { spaceId } }))
  await tellsOf(calls, [site, host], () => api.deleteSiteById({ params }))
})

test('repeats failed revalidation requests, and omits the signature without a secret', async () => {
  const { url, calls, settings } = await startFrontEnd()
  const octavo = await serverForTest({ OCTAVO_REVALIDATE_URL: url })
  const spaceId = await emptySpace(octavo.admin)
  settings.failures = 2
  await editLive(octavo.admin, spaceId, insertPage('# A'))
  await waitUntil(async () => {
    octavo.clock.advance(seconds(30))
    return calls.some(({ tags }) => tags.includes(`space:${spaceId}`))
  }, 'the front end was called again')
  expect(calls.every(({ signature }) => signature === undefined)).toBe(true)
})

test('queues no revalidation jobs when no front end is configured', async () => {
  const octavo = await serverForTest()
  const spaceId = await emptySpace(octavo.admin)
  await editLive(octavo.admin, spaceId, insertPage('# A'))
  expect(await jobsNamed(octavo, 'frontend.revalidate')).toEqual([])
  expect(await jobsNamed(octavo, 'search.index')).not.toEqual([])
})

test('replies have a cache tag header for the space, change request, site or host that they show', async () => {
  const octavo = await serverForTest()
  const { admin } = octavo
  const spaceId = await emptySpace(admin)
  await editLive(admin, spaceId, insertPage('# A'))
  const { params, base } = await publishSpaces(octavo, [spaceId])
  const proposal = await propose(admin, spaceId)
  const tagsOf = async (path: string, body?: object) => {
    const post = body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const reply = await octavo.fetch(`/v1${path}`, { token: admin.token, ...post })
    expect(reply.status).toBe(200)
    return reply.headers.get('x-gitbook-cache-tag')
  }
  const site = `/orgs/${params.organizationId}/sites/${params.siteId}`
  const host = `url:${new URL(base).hostname}`
  expect(await tagsOf(`/spaces/${spaceId}`)).toBe(`space:${spaceId}`)
  expect(await tagsOf(`/spaces/${spaceId}/content`)).toBe(`space:${spaceId}`)
  expect(await tagsOf(`/spaces/${spaceId}/change-requests/${proposal.id}/content`)).toBe(
    `space:${spaceId},space:${spaceId}:change-request:${proposal.id}`,
  )
  expect(await tagsOf(`${site}/published`)).toBe(`site:${params.siteId}`)
  expect(await tagsOf(`/urls/published?url=${encodeURIComponent(base)}`)).toBe(host)
  expect(await tagsOf('/urls/published', { url: base })).toBe(host)
  expect(await tagsOf('/user')).toBe(null)
})
