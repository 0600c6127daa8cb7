import { afterAll, beforeAll } from 'vitest'
import { type GitServer, startGitServer } from './git-server.ts'
import { type TestServer, startTestServer } from './server.ts'

interface GitServers {
  octavo: TestServer
  server: GitServer
}

/** Starts a server of Octavo that may access this machine, and a server of repositories, for all tests of a file. */
export function gitServersForFile(use: (servers: GitServers) => void, env: Record<string, string> = {}): void {
  let servers: GitServers
  beforeAll(async () => {
    const octavo = await startTestServer({ OCTAVO_ALLOW_PRIVATE_NETWORK: '1', ...env })
    servers = { octavo, server: await startGitServer() }
    use(servers)
  })
  afterAll(async () => {
    await servers.octavo.stop()
    servers.server.close()
  })
}
