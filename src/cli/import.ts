import { performance } from 'node:perf_hooks'
import type { Config } from '../server/config.ts'
import type { Database } from '../storage/database.ts'
import { type Command, type CommandInput, UsageError, requireOption } from './command.ts'
import type { ImportResult, ContentTarget } from './import-into.ts'
import { withDatabase } from './environment.ts'
import { formatCount, formatDuration, toPrintable, truncateLines, formatWarnings } from './format.ts'
import type { SourceRequest } from './sources.ts'
import { getFirstAdmin } from './organizations.ts'
import { getSpaceById } from './spaces.ts'
import { getUserByIdOrEmail } from './tokens.ts'

/** Options of all commands that import a source. */
export const sourceOptions = {
  ref: { value: 'branch', description: 'Branch of the repository; defaults to main' },
  directory: { value: 'path', description: 'Folder of the content within the source' },
  user: { value: 'id or email', description: 'Author of the change; defaults to the first administrator' },
  warnings: { description: 'Print all warnings instead of only the first' },
}

export const importCommand: Command = {
  name: 'import',
  summary: 'Replace the content of a space with a folder of Markdown; the server may be running',
  parameters: ['folder, ZIP file or Git URL'],
  options: {
    space: { value: 'id', description: 'ID of the space' },
    'change-request': { value: 'id', description: 'Import into this change request instead' },
    'new-change-request': { value: 'subject', description: 'Import into a new change request instead' },
    ...sourceOptions,
  },
  async run(input) {
    const spaceId = requireOption(input, 'space')
    const request = parseSourceRequest(input)
    const startTime = performance.now()
    const { imported, name } = await withDatabase((database, config) => run(database, config, spaceId, input, request))
    const time = formatDuration(performance.now() - startTime)
    console.log(
      formatImportSummary(imported, { name, time, showsAllWarnings: input.switches.has('warnings') }).join('\n'),
    )
  },
}

export function parseSourceRequest({ parameters: [address = ''], options }: CommandInput): SourceRequest {
  const directory = (options['directory'] ?? '').split(/[/\\]/).filter((step) => step !== '' && step !== '.')
  if (directory.includes('..')) throw new UsageError('--directory must be within the source')
  if (options['change-request'] !== undefined && options['new-change-request'] !== undefined)
    throw new UsageError('--change-request and --new-change-request cannot be used together')
  return { address, ref: options['ref'], directory: directory.join('/') }
}

async function run(database: Database, config: Config, spaceId: string, input: CommandInput, request: SourceRequest) {
  // Imported here because it loads the content engine, which most commands do not need.
  const { importSource } = await import('./import-source.ts')
  const target = await resolveContentTarget(database, spaceId, input)
  return importSource(database, config, request, async () => target)
}

async function resolveContentTarget(
  { reader }: Database,
  spaceId: string,
  { options }: CommandInput,
): Promise<ContentTarget> {
  const { organization_id: organizationId } = await getSpaceById(reader, spaceId)
  const author =
    options['user'] === undefined ? getFirstAdmin(reader, organizationId) : getUserByIdOrEmail(reader, options['user'])
  const common = { spaceId, author: await author }
  const { 'change-request': changeRequestId, 'new-change-request': subject } = options
  if (changeRequestId !== undefined) return { ...common, kind: 'change request', changeRequestId }
  return subject === undefined ? { ...common, kind: 'space' } : { ...common, kind: 'new change request', subject }
}

export function formatImportSummary(
  { pages, read, added, changed, removed, problems, revisionId, changeRequest }: ImportResult,
  { name, time, showsAllWarnings }: { name: string; time: string; showsAllWarnings: boolean },
): string[] {
  const where = changeRequest ? `change request ${changeRequest.number} (${changeRequest.id})` : 'the space'
  const lines = [
    revisionId === undefined
      ? `No changes: ${where} already has this content.`
      : `Imported ${toPrintable(name)} into ${where} as revision ${revisionId}.`,
    `${formatCount(pages, 'page')}, ${read} read; pages and groups: ${added} added, ${changed} changed, ${removed} removed. Took ${time}.`,
  ]
  if (problems.length === 0) return lines
  const warnings = truncateLines(formatWarnings(problems), showsAllWarnings, '--warnings')
  return [...lines, '', `${formatCount(problems.length, 'warning')}:`, ...warnings]
}
