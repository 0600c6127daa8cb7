import { setFlagsFromString } from 'node:v8'
import { seconds } from '../kernel/time.ts'
import type { Server } from '../server/server.ts'
import type { Command } from './command.ts'
import { firstStartLines } from './first-start.ts'
import { commandLine, configFromEnvironment } from './open.ts'

/**
 * By how much the heap may grow from one collection of garbage to the next. Left to itself the engine lets it become several
 * times as large as what is in use, which a long import would show as memory of the server.
 */
const heapGrowth = '--heap-growing-percent=40'

/** Whoever stops a server (systemd, Docker, Kubernetes) kills it when it has not ended after 10 seconds. */
const stopsWithin = seconds(9)

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Start the server',
  async run() {
    setFlagsFromString(heapGrowth)
    const config = configFromEnvironment()
    // Loaded only now: it is most of the program, and no other command needs it.
    const { startServer } = await import('../server/server.ts')
    const server = await startServer(config)
    const stopped = untilSignal().then(async (signal) => {
      server.app.log.info('Stopping', { signal })
      // A job that does not listen is taken up again after the next start; unref: with nothing left, nothing is waited for.
      setTimeout(() => process.exit(0), stopsWithin).unref()
      await server.stop()
    })
    await announce(server)
    await stopped
  },
}

/** Maximum number of sites whose addresses are printed. */
const maxSites = 5

/** Prints, for a person, where everything is; the token is shown on the very first start and never again. */
async function announce({ app, address, healthAddress, firstStart }: Server): Promise<void> {
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
      ...firstStartLines(firstStart, config),
      '',
      'Try it:',
      '',
      `  curl -H "Authorization: Bearer ${token}" ${urls.api(`/spaces/${firstStart.spaceId}`)}`,
      '',
      'Publish a folder of Markdown:',
      '',
      `  ${commandLine(config, 'publish <folder>')}`,
    )
  } else {
    lines.push('', `Create a token: ${commandLine(config, 'token create --user <email>')}`)
  }
  process.stdout.write(`\n${lines.join('\n')}\n\n`)
}

/** The addresses of the first published sites, and how many more there are. */
async function siteLines({ config, database, urls }: Server['app']): Promise<string[]> {
  const { countPublishedSites, listPlacedSites } = await import('../access/sites.ts')
  const sites = await listPlacedSites(database.reader, { isPublished: true, limit: maxSites })
  const more = sites.length < maxSites ? 0 : (await countPublishedSites(database.reader)) - sites.length
  return [
    ...sites.map((site) => `  Site      ${urls.site(site)}`),
    ...(more > 0 ? [`            and ${more} more: ${commandLine(config, 'site list')}`] : []),
  ]
}

function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve)
  })
}
