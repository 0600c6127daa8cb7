import { performance } from 'node:perf_hooks'
import type { Config } from '../server/config.ts'
import type { Database } from '../storage/database.ts'
import { isFolderInUse } from '../storage/lock.ts'
import type { AdminSession } from './admin-session.ts'
import type { Command, CommandInput } from './command.ts'
import { firstStartLines } from './first-start.ts'
import { formatImportSummary, parseSourceRequest, sourceOptions } from './import.ts'
import type { ImportResult } from './import-into.ts'
import { formatCommandLine, withDatabase } from './environment.ts'
import { organizationOption } from './organizations.ts'
import type { ChosenSpace } from './publication.ts'
import { formatDuration } from './format.ts'
import { parseSiteTitle } from './sites.ts'
import type { SourceRequest } from './sources.ts'
import { getUserByIdOrEmail } from './tokens.ts'

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
    const request = parseSourceRequest(input)
    const title = input.options['title'] === undefined ? undefined : parseSiteTitle(input.options['title'])
    const startTime = performance.now()
    const published = await withDatabase((database, config) => run(database, config, request, { input, title }))
    const { imported, name, lines } = published
    const time = formatDuration(performance.now() - startTime)
    const showsAllWarnings = input.switches.has('warnings')
    console.log([...formatImportSummary(imported, { name, time, showsAllWarnings }), '', ...lines].join('\n'))
  },
}

interface PublishResult {
  imported: ImportResult
  name: string
  /** Output lines with the URL and the ids. */
  lines: string[]
}

async function run(
  database: Database,
  config: Config,
  request: SourceRequest,
  { input: { options }, title }: { input: CommandInput; title: string | undefined },
): Promise<PublishResult> {
  // Imported here because they load the content engine, which most commands do not need.
  const { openAdminSession } = await import('./admin-session.ts')
  const { importSource } = await import('./import-source.ts')
  const { assertHasPages, chooseSpace, findOrganizationId, publishSpace, sourceKey } = await import('./publication.ts')

  const key = await sourceKey(request)
  const choice = { ...options, key, title }
  let chosen: { administration: AdminSession; space: ChosenSpace } | undefined
  // Nothing is created before the source is known to have content.
  const { imported, name } = await importSource(database, config, request, async (source) => {
    assertHasPages(source)
    await ensureFirstStart(database, config)
    const organization = await findOrganizationId(database.reader, options)
    const administration = await openAdminSession(database, config, { organization })
    const author =
      options['user'] === undefined ? administration.admin : await getUserByIdOrEmail(database.reader, options['user'])
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
  const isStopped = !config.databaseUrl && !isFolderInUse(config.dataFolder)
  if (isStopped) lines.push('', `The server is not running. Start it with: ${formatCommandLine(config, 'serve')}`)
  return { imported, name, lines }
}

/**
 * Creates the same administrator and organization as the first start of a server, if no server was ever started on this database.
 */
async function ensureFirstStart(database: Database, config: Config): Promise<void> {
  const instanceRow = await database.reader
    .selectFrom('instance')
    .select('key')
    .where('key', '=', 'id')
    .executeTakeFirst()
  if (instanceRow) return
  const { openApp } = await import('../server/app.ts')
  const { bootstrap } = await import('../server/bootstrap.ts')
  const { createLog } = await import('../kernel/log.ts')
  const app = await openApp(config, { log: createLog({ level: 'error', format: config.logFormat }) })
  try {
    const firstStart = await bootstrap(app)
    // Printed at once, because the token is shown only here, even if the import fails.
    if (firstStart)
      console.log(['Set up a new server:', '', ...firstStartLines(firstStart, config, app.urls), ''].join('\n'))
  } finally {
    await app.close()
  }
}
