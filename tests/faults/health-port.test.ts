import { expect, test } from 'vitest'
import { homeForTest } from '../support/home.ts'
import { startServerProcess, serverEnv, startOctavo } from '../support/process.ts'

const token = 'metrics-token-of-the-tests'

test('a process without the API and site roles serves health and metrics on the health port', async () => {
  const env = await homeForTest()
  const worker = startOctavo(
    ['serve'],
    serverEnv({ ...env, ROLES: 'worker,scheduler', OCTAVO_HEALTH_PORT: '0', OCTAVO_METRICS_TOKEN: token }),
  )
  const [, url = ''] = await worker.waitForOutput(/^ {2}Health +(\S+)\/readyz$/m)
  expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' })
  const ready = await fetch(`${url}/readyz`)
  expect(ready.status).toBe(200)
  expect(await ready.json()).toEqual({ status: 'ready', checks: { database: 'ok', files: 'ok' } })

  expect((await fetch(`${url}/metrics`)).status).toBe(401)
  const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  expect(metrics.status).toBe(200)
  const text = await metrics.text()
  expect(text).toMatch(/^octavo_jobs\{kind="[\w.]+",state="\w+"\} \d+$/m)
  expect(text).toMatch(/^octavo_cache_bytes\{cache="content structure"\} \d+/m)

  const absent = await fetch(`${url}/v1/user`)
  expect(absent.status).toBe(404)
  worker.kill('SIGTERM')
  expect(await worker.ended).toMatchObject({ exitCode: 0, signal: null, stderr: '' })
})

test('a worker opens no health port by default, and a server with the API can have one in addition', async () => {
  const env = await homeForTest()
  const worker = startOctavo(['serve'], serverEnv({ ...env, ROLES: 'worker' }))
  await worker.waitForOutput(/is ready/)
  expect(worker.stdout).not.toContain('Health')
  worker.kill('SIGTERM')
  await worker.ended

  const server = await startServerProcess({ ...env, OCTAVO_HEALTH_PORT: '0' })
  const [, url = ''] = await server.waitForOutput(/^ {2}Health +(\S+)\/readyz$/m)
  expect(url).not.toBe(server.url)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
})
