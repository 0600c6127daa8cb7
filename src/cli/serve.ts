import { setFlagsFromString } from 'node:v8'
import { seconds } from '../kernel/time.ts'
import type { Server } from '../server/server.ts'
import type { Command } from './command.ts'
import { firstStartLines, toSignInUrl } from './first-start.ts'
import { formatCommandLine, configFromEnvironment } from './environment.ts'

/**
 * Maximum growth of the heap between garbage collections. By default V8 lets it become several times as large as the
 * memory in use, which a long import would show as memory of the server.
 */
const heapGrowthFlag = '--heap-growing-percent=40'

/**
 * Maximum size of the functions that V8 inlines into an optimized one; its default is three times as large. Compiling the parser of
 * Markdown took a quarter of the CPU time of an import. With this limit reads of the API take the same CPU time, and pages and searches
 * of a server that has just started take less.
 */
const inliningFlag = '--max-inlined-bytecode-size-cumulative=300'

/** Maximum time for stopping, because systemd, Docker and Kubernetes kill a process that has not ended after 10 seconds. */
const stopTimeout = seconds(9)

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Start the server',
  async run() {
    setFlagsFromString(heapGrowthFlag)
    setFlagsFromString(inliningFlag)
    const config = configFromEnvironment()
    // Imported here because it is most of the program, and no other command needs it.
    const { startServer } = await import('../server/server.ts')
    const server = await startServer(config)
    const stopped = waitForSignal().then(async (signal) => {
      server.app.log.info('Stopping', { signal })
      // A job that ignores its signal is resumed after the next start. Unref, so that the timer does not keep the process alive.
      setTimeout(() => process.exit(0), stopTimeout).unref()
      await server.stop()
    })
    await printServerInfo(server)
    await stopped
  },
}

/** Maximum number of sites whose URLs are printed. */
const maxSites = 5

/** Prints the URLs and paths of the server; the token is printed only on the first start. */
async function printServerInfo({ app, address, healthAddress, firstStart }: Server): Promise<void> {
  const { config, urls } = app
  const data = config.databaseUrl ? 'PostgreSQL (DATABASE_URL)' : config.dataFolder
  const lines = [`Octavo ${app.build.version} is ready.`, '']
  if (address) {
    lines.push(...(await siteLines(app)))
    lines.push(`  API       ${urls.api('')}`, `  Reference ${urls.plain('/docs/api')}`)
  }
  if (healthAddress) lines.push(`  Health    ${healthAddress}/readyz`)
  lines.push(`  Data      ${data}`)
  if (firstStart) {
    const token = config.bootstrapToken ? '$OCTAVO_BOOTSTRAP_TOKEN' : firstStart.token
    lines.push(
      ...firstStartLines(firstStart, config, urls),
      '',
      'Try it:',
      '',
      `  curl -H "Authorization: Bearer ${token}" ${urls.api(`/spaces/${firstStart.spaceId}`)}`,
      '',
      'Publish a folder of Markdown:',
      '',
      `  ${formatCommandLine(config, 'publish <folder>')}`,
    )
  } else {
    if (address) lines.push(`  Sign in   ${toSignInUrl(urls, '/login')}`)
    lines.push(
      '',
      `Create a token: ${formatCommandLine(config, 'token create --user <email>')}`,
      `Create a sign-in link: ${formatCommandLine(config, 'login-link --user <email>')}`,
    )
  }
  process.stdout.write(`\n${lines.join('\n')}\n\n`)
}

/** Returns lines with the URLs of the first published sites and the number of the others. */
async function siteLines({ config, database, urls }: Server['app']): Promise<string[]> {
  const { countPublishedSites, listSitesWithAddress } = await import('../access/sites.ts')
  const sites = await listSitesWithAddress(database.reader, { isPublished: true, limit: maxSites })
  const more = sites.length < maxSites ? 0 : (await countPublishedSites(database.reader)) - sites.length
  return [
    ...sites.map((site) => `  Site      ${urls.site(site)}`),
    ...(more > 0 ? [`            and ${more} more: ${formatCommandLine(config, 'site list')}`] : []),
  ]
}

function waitForSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve)
  })
}
