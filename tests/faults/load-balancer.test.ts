import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { folderForTest } from '../support/disk.ts'
import { migratedHomeForTest } from '../support/home.ts'
import { sendAsAdmin } from '../support/outages.ts'
import { startServerProcess } from '../support/process.ts'
import { waitUntil } from '../support/server.ts'
import { getOrganizationId } from '../support/teams.ts'

const hasNginx = spawnSync('nginx', ['-v']).status === 0

/** Returns the nginx configuration from the manual with these ports and without TLS. */
function exampleFor(port: number, upstreams: readonly string[]): string {
  const manual = readFileSync(new URL('../../docs/operating/clusters.md', import.meta.url), 'utf8')
  const [example = ''] = /(?<=```nginx\n)upstream octavo \{[^`]+/.exec(manual) ?? []
  const [first = '', second = ''] = upstreams.map((url) => new URL(url).host)
  return example
    .replace('127.0.0.1:3001', first)
    .replace('127.0.0.1:3002', second)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replace(/^ *ssl_certificate.*\n/gm, '')
}

async function startNginx(port: number, upstreams: readonly string[]): Promise<void> {
  const folder = folderForTest()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  )
  const settings = `pid ${join(folder, 'pid')}; error_log stderr; events {}
    http { access_log off; ${temporary.join(' ')} ${exampleFor(port, upstreams)} }`
  writeFileSync(join(folder, 'nginx.conf'), settings)
  const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder, '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(nginx, 'exit')
  onTestFinished(async () => {
    nginx.kill('SIGTERM')
    await ended
  })
}

async function unusedPort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

// `npm test` reports when nginx is not installed; CI installs it.
test.runIf(hasNginx)(
  'behind nginx configured as in the manual, reads succeed after one process is killed',
  async () => {
    const port = await unusedPort()
    const url = `http://127.0.0.1:${port}`
    const home = await migratedHomeForTest()
    const env = { ...home, OCTAVO_LOG_LEVEL: 'debug', OCTAVO_URL: url, OCTAVO_TRUSTED_PROXIES: '1', ROLES: 'api,site' }
    const servers = await Promise.all([startServerProcess({ ...env }), startServerProcess({ ...env })])
    const upstreams = await Promise.all(
      servers.map(async (server) => {
        // The processes print the URL in OCTAVO_URL; the address that they listen on is in the debug log.
        const [, own = ''] = await server.waitForOutput(/"address":"([^"]+)"/)
        return own
      }),
    )
    await startNginx(port, upstreams)
    const proxy = { url }
    await waitUntil(
      async () => (await sendAsAdmin(proxy, '/readyz').catch(() => undefined))?.status === 200,
      'nginx answers',
    )
    const organizationId = await getOrganizationId(servers[0].api())
    const statuses: number[] = []
    const read = async (count: number) => {
      for (let number = 0; number < count; number++) {
        statuses.push((await sendAsAdmin(proxy, `/v1/orgs/${organizationId}/teams`)).status)
      }
    }
    const write = (title: string) =>
      sendAsAdmin(proxy, `/v1/orgs/${organizationId}/teams`, { method: 'PUT', body: JSON.stringify({ title }) })
    await read(20)
    expect(await write('Before')).toMatchObject({ status: 201 })
    servers[0].kill('SIGKILL')
    await read(40)
    expect(statuses.filter((status) => status !== 200)).toEqual([])
    // The configuration does not retry writes, and the first one may be sent to the killed process.
    await waitUntil(async () => (await write('After')).status === 201, 'a write is accepted')
  },
)
