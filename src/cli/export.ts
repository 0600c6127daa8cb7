import { performance } from 'node:perf_hooks'
import { resolve } from 'node:path'
import type { Config } from '../server/config.ts'
import { AppError } from '../kernel/errors.ts'
import type { Database } from '../storage/database.ts'
import { type Command, type CommandInput, requireOption } from './command.ts'
import { runInterruptible } from './interrupt.ts'
import { withDatabase } from './environment.ts'
import { createProgress } from './progress.ts'
import { formatCount, formatDuration, toPrintable } from './format.ts'
import { getSpaceById, fileUrlsOfSpace } from './spaces.ts'
import type { FolderPlan } from './write-folder.ts'

export const exportCommand: Command = {
  name: 'export',
  summary: 'Export the content of a space to a folder of Markdown; the server may be running',
  parameters: ['folder'],
  options: {
    space: { value: 'id', description: 'ID of the space' },
    revision: { value: 'id', description: 'ID of the revision to export; defaults to the newest' },
    'dry-run': { description: 'List the files that would be written and removed, without changing anything' },
    force: { description: 'Overwrite files that were not exported from the space or were changed' },
  },
  async run(input) {
    const spaceId = requireOption(input, 'space')
    const startTime = performance.now()
    const plan = await withDatabase((database, config) => run(database, config, spaceId, input))
    const lines = input.switches.has('dry-run') ? formatDryRun(plan) : []
    console.log(
      [...lines, ...formatExportSummary(plan, input, formatDuration(performance.now() - startTime))].join('\n'),
    )
  },
}

async function run(database: Database, config: Config, spaceId: string, input: CommandInput): Promise<FolderPlan> {
  // Imported here because they load the content engine, which most commands do not need.
  const { createOpenObjects } = await import('../server/app.ts')
  const { openBlobs } = await import('../server/stores.ts')
  const { exportAllFiles } = await import('../content/repository/export-all-files.ts')
  const { getRevision, listedContentOf } = await import('../domain/revisions/revisions.ts')
  const { TargetFolder } = await import('./target-folder.ts')
  const { planSpaceFolder, writeSpaceFolder } = await import('./write-folder.ts')

  const { reader } = database
  const space = await getSpaceById(reader, spaceId)
  const revision = await getRevision(reader, space, input.options['revision'] ?? space.revision_id)
  const objects = createOpenObjects(Date.now)(reader, space.organization_id)
  const stores = { objects, blobs: openBlobs(config) }
  const target = await TargetFolder.open(resolve(input.parameters[0] as string))
  const progress = createProgress()
  try {
    return await runInterruptible(async (_, yieldIfDue) => {
      const exported = await exportAllFiles(objects, {
        before: listedContentOf(revision),
        fileUrls: await fileUrlsOfSpace(reader, space),
        after: revision.root_hash,
        onText: async (done) => {
          progress.report('pages', done)
          await yieldIfDue()
        },
      })
      progress.step('Comparing with existing files')
      const plan = await planSpaceFolder(stores, target, exported, spaceId)
      if (input.switches.has('dry-run')) return plan
      if (plan.conflicting.length > 0 && !input.switches.has('force')) throw createConflictError(plan.conflicting)
      await writeSpaceFolder(stores, target, plan, {
        spaceId,
        revisionId: revision.id,
        async onFile(done) {
          progress.report('files', { done, total: plan.write.length })
          await yieldIfDue()
        },
      })
      return plan
    })
  } finally {
    progress.end()
  }
}

const maxPrintedPaths = 20

function createConflictError(paths: readonly string[]): AppError {
  const some = paths.slice(0, maxPrintedPaths).map((path) => `\n  ${toPrintable(path)}`)
  const more = paths.length > maxPrintedPaths ? `\n  … and ${paths.length - maxPrintedPaths} more` : ''
  return new AppError(
    'conflict',
    `nothing was written, because these files were not exported from the space or were changed (use --force to overwrite them):${some.join('')}${more}`,
  )
}

function formatDryRun({ write, remove }: FolderPlan): string[] {
  const lines = [
    ...write.map(({ file, isNew }) => ({ path: file.path, sign: isNew ? '+' : '~' })),
    ...remove.map((path) => ({ path, sign: '-' })),
  ]
  return lines.sort((a, b) => (a.path < b.path ? -1 : 1)).map(({ path, sign }) => `${sign} ${toPrintable(path)}`)
}

const formatPaths = (paths: readonly string[], what: string) => paths.map((path) => `${toPrintable(path)}  ${what}`)

function formatExportSummary(
  { write, remove, upToDate, conflicting: foreign, retained, unavailable }: FolderPlan,
  { parameters, switches }: CommandInput,
  time: string,
): string[] {
  const isDryRun = switches.has('dry-run')
  return [
    ...(isDryRun ? formatPaths(foreign, 'was not exported from the space or was changed; --force overwrites it') : []),
    ...formatPaths(retained, 'is no longer part of the content but was changed; it is kept'),
    ...formatPaths(unavailable, 'was too large to be imported and cannot be exported'),
    isDryRun
      ? `${formatCount(write.length, 'file')} would be written and ${remove.length} removed in ${toPrintable(parameters[0] as string)}; ${upToDate.size} are up to date.`
      : `Wrote ${formatCount(write.length, 'file')} to ${toPrintable(parameters[0] as string)} and removed ${remove.length}; ${upToDate.size} were up to date. Took ${time}.`,
  ]
}
