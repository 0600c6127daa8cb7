import { performance } from 'node:perf_hooks'
import type { Config } from '../server/config.ts'
import type { Database } from '../storage/database.ts'
import { folderIsInUse } from '../storage/lock.ts'
import type { Administration } from './administration.ts'
import type { Command, CommandInput } from './command.ts'
import { firstStartLines } from './first-start.ts'
import { importSummary, requestIn, sourceOptions } from './import.ts'
import type { Imported } from './import-into.ts'
import { commandLine, withDatabase } from './open.ts'
import { organizationOption } from './organizations.ts'
import type { ChosenSpace } from './publication.ts'
import { duration } from './report.ts'
import { parseSiteTitle } from './sites.ts'
import type { SourceRequest } from './sources.ts'
import { getUser } from './tokens.ts'

export const publishCommand: Command = {
  name: 'publish',
  summary: 'Publish a folder of Markdown as a site, or update that site; the server may be running',
  parameters: ['folder, ZIP file or Git URL'],
  options: {
    title: { value: 'title', description: 'Title of the site; defaults to the title of the first page' },
    ...organizationOption,
    site: { value: 'id', description: 'Publish to this site' },
    space: { value: 'id', description: 'Import into this space' },
    ...sourceOptions,
  },
  async run(input) {
    const request = requestIn(input)
    const title = input.options['title'] === undefined ? undefined : parseSiteTitle(input.options['title'])
    const began = performance.now()
    const published = await withDatabase((database, config) => run(database, config, request, { input, title }))
    const { imported, name, lines } = published
    const time = duration(performance.now() - began)
    const isWhole = input.switches.has('warnings')
    console.log([...importSummary(imported, { name, time, isWhole }), '', ...lines].join('\n'))
  },
}

interface Published {
  imported: Imported
  name: string
  /** Output lines with the URL and the ids. */
  lines: string[]
}

async function run(
  database: Database,
  config: Config,
  request: SourceRequest,
  { input: { options }, title }: { input: CommandInput; title: string | undefined },
): Promise<Published> {
  // Imported here because they load the content engine, which most commands do not need.
  const { openAdministration } = await import('./administration.ts')
  const { importSource } = await import('./import-source.ts')
  const { assertHasPages, chooseSpace, organizationOf, publishSpace, sourceKey } = await import('./publication.ts')

  const key = await sourceKey(request)
  const choice = { ...options, key, title }
  let chosen: { administration: Administration; space: ChosenSpace } | undefined
  // Nothing is created before the source is known to have content.
  const { imported, name } = await importSource(database, config, request, async (source) => {
    assertHasPages(source)
    await ensureFirstStart(database, config)
    const organization = await organizationOf(database.reader, options)
    const administration = await openAdministration(database, config, { organization })
    const author =
      options['user'] === undefined ? administration.admin : await getUser(database.reader, options['user'])
    const space = await chooseSpace(administration, choice, request)
    chosen = { administration, space }
    return { kind: 'space', spaceId: space.spaceId, author }
  })
  const { administration, space } = chosen as NonNullable<typeof chosen>
  const site = await publishSpace(administration, space, choice)
  const lines = [
    `Published at ${administration.urls.site(site)}`,
    '',
    `  Site      ${site.id}`,
    `  Space     ${space.spaceId}`,
  ]
  const isStopped = !config.databaseUrl && !folderIsInUse(config.dataFolder)
  if (isStopped) lines.push('', `The server is not running. Start it with: ${commandLine(config, 'serve')}`)
  return { imported, name, lines }
}

/** Creates what the first start of a server creates, if no server was ever started on this database. */
async function ensureFirstStart(database: Database, config: Config): Promise<void> {
  const known = await database.reader.selectFrom('instance').select('key').where('key', '=', 'id').executeTakeFirst()
  if (known) return
  const { openApp } = await import('../server/app.ts')
  const { bootstrap } = await import('../server/bootstrap.ts')
  const { createLog } = await import('../kernel/log.ts')
  const app = await openApp(config, { log: createLog({ level: 'error', format: config.logFormat }) })
  try {
    const firstStart = await bootstrap(app)
    // Printed at once, because the token is shown only here, even if the import fails.
    if (firstStart) console.log(['Set up a new server:', '', ...firstStartLines(firstStart, config), ''].join('\n'))
  } finally {
    await app.close()
  }
}
