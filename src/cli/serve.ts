import { setFlagsFromString } from 'node:v8'
import { seconds } from '../kernel/time.ts'
import type { Server } from '../server.ts'
import type { Command } from './command.ts'
import { configFromEnvironment } from './open.ts'

/**
 * By how much the heap may grow from one collection of garbage to the next. Left to itself the engine lets it become several
 * times as large as what is in use, which a long import would show as memory of the server.
 */
const heapGrowth = '--heap-growing-percent=40'

/** Whoever stops a server (systemd, Docker, Kubernetes) kills it when it has not ended after 10 seconds. */
const stopsWithin = seconds(9)

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Start the server and run it until it is told to stop',
  async run() {
    setFlagsFromString(heapGrowth)
    const config = configFromEnvironment()
    // Loaded only now: it is most of the program, and no other command needs it.
    const { startServer } = await import('../server.ts')
    const server = await startServer(config)
    const stopped = untilSignal().then(async (signal) => {
      server.app.log.info('Stopping', { signal })
      // A job that does not listen is taken up again after the next start; unref: with nothing left, nothing is waited for.
      setTimeout(() => process.exit(0), stopsWithin).unref()
      await server.stop()
    })
    announce(server)
    await stopped
  },
}

/** Says, for a person, where everything is; the token is shown on the very first start and never again. */
function announce({ app, address, firstStart }: Server): void {
  const { config, urls } = app
  const data = config.databaseUrl ? 'PostgreSQL (DATABASE_URL)' : config.dataFolder
  const lines = [`Octavo ${app.build.version} is ready.`, '']
  if (address) {
    if (firstStart?.site) lines.push(`  Site      ${urls.site(firstStart.site)}`)
    lines.push(`  API       ${urls.api('')}`, `  Reference ${urls.plain('/docs/api')}`)
  }
  lines.push(`  Data      ${data}`)
  if (firstStart) {
    const { email, organizationId, spaceId, token } = firstStart
    const shown = config.bootstrapToken ? 'the one in OCTAVO_BOOTSTRAP_TOKEN' : `${token}   (shown this once: keep it)`
    lines.push(
      `  Admin     ${email}`,
      `  Org       ${organizationId}`,
      `  Space     ${spaceId}`,
      `  Token     ${shown}`,
      '',
      'Try it:',
      '',
      `  curl -H "Authorization: Bearer ${config.bootstrapToken ? '$OCTAVO_BOOTSTRAP_TOKEN' : token}" ${urls.api(`/spaces/${spaceId}`)}`,
    )
  } else {
    lines.push('', 'A new token: npm run octavo -- token create --user <e-mail>')
  }
  process.stdout.write(`\n${lines.join('\n')}\n\n`)
}

function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve)
  })
}
