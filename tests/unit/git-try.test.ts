import { test } from 'vitest'
import { parseRemote } from '../../src/fetch/git.ts'
import { gitForTest, gitServerForTest } from '../support/git-server.ts'
const { signal } = new AbortController()
test('html', async () => {
  const server = await gitServerForTest({
    intercept(request, reply) {
      if (!request.url?.startsWith('/page')) return false
      reply.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>')
      return true
    },
  })
  const r = await gitForTest().git.open('x')
  console.log(
    await r.fetch(parseRemote(server.origin + '/page'), 'refs/heads/main', { signal }).catch((e) => e),
    server.requests,
  )
})
test('big', async () => {
  const server = await gitServerForTest({ filter: false })
  const source = server.repository('guide.git')
  source.commit({ large: new Uint8Array(3_000_000).map((_, index) => (index * index) >> 3) })
  const r = await gitForTest().git.open('x')
  console.log(await r.fetch(parseRemote(source.url), 'refs/heads/main', { signal }).catch((e) => e), server.sent())
})
