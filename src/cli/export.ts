import { performance } from 'node:perf_hooks'
import { resolve } from 'node:path'
import type { Config } from '../server/config.ts'
import { AppError } from '../kernel/errors.ts'
import type { Database } from '../storage/database.ts'
import { type Command, type CommandInput, required } from './command.ts'
import { interruptible } from './interrupt.ts'
import { withDatabase } from './open.ts'
import { createProgress } from './progress.ts'
import { counted, duration, printable } from './report.ts'
import { getSpaceById, outsideOfSpace } from './spaces.ts'
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
    const spaceId = required(input, 'space')
    const began = performance.now()
    const plan = await withDatabase((database, config) => run(database, config, spaceId, input))
    const lines = input.switches.has('dry-run') ? dryRunOf(plan) : []
    console.log([...lines, ...summaryOf(plan, input, duration(performance.now() - began))].join('\n'))
  },
}

async function run(database: Database, config: Config, spaceId: string, input: CommandInput): Promise<FolderPlan> {
  // Imported here because they load the content engine, which most commands do not need.
  const { createOpenObjects, openBlobs } = await import('../server/app.ts')
  const { exportWhole } = await import('../content/repository/whole.ts')
  const { getRevision, listedIn } = await import('../domain/revisions/revisions.ts')
  const { TargetFolder } = await import('./target-folder.ts')
  const { planFolder, writeFolder } = await import('./write-folder.ts')

  const { reader } = database
  const space = await getSpaceById(reader, spaceId)
  const revision = await getRevision(reader, space, input.options['revision'] ?? space.revision_id)
  const objects = createOpenObjects(Date.now)(reader, space.organization_id)
  const stores = { objects, blobs: openBlobs(config) }
  const target = await TargetFolder.open(resolve(input.parameters[0] as string))
  const progress = createProgress()
  try {
    return await interruptible(async (_, breathe) => {
      const whole = await exportWhole(objects, {
        before: listedIn(revision),
        outside: await outsideOfSpace(reader, space),
        after: revision.root_hash,
        onText: async (done) => {
          progress.report('pages', done)
          await breathe()
        },
      })
      progress.step('Comparing with existing files')
      const plan = await planFolder(stores, target, whole, spaceId)
      if (input.switches.has('dry-run')) return plan
      if (plan.inTheWay.length > 0 && !input.switches.has('force')) throw inTheWay(plan.inTheWay)
      await writeFolder(stores, target, plan, {
        spaceId,
        revisionId: revision.id,
        async onFile(done) {
          progress.report('files', { done, total: plan.write.length })
          await breathe()
        },
      })
      return plan
    })
  } finally {
    progress.end()
  }
}

const shown = 20

function inTheWay(paths: readonly string[]): AppError {
  const some = paths.slice(0, shown).map((path) => `\n  ${printable(path)}`)
  const more = paths.length > shown ? `\n  … and ${paths.length - shown} more` : ''
  return new AppError(
    'conflict',
    `nothing was written, because these files were not exported from the space or were changed (use --force to overwrite them):${some.join('')}${more}`,
  )
}

function dryRunOf({ write, remove }: FolderPlan): string[] {
  const lines = [
    ...write.map(({ file, isNew }) => ({ path: file.path, sign: isNew ? '+' : '~' })),
    ...remove.map((path) => ({ path, sign: '-' })),
  ]
  return lines.sort((a, b) => (a.path < b.path ? -1 : 1)).map(({ path, sign }) => `${sign} ${printable(path)}`)
}

const told = (paths: readonly string[], what: string) => paths.map((path) => `${printable(path)}  ${what}`)

function summaryOf(
  { write, remove, right, inTheWay: foreign, left, missing }: FolderPlan,
  { parameters, switches }: CommandInput,
  time: string,
): string[] {
  const isDry = switches.has('dry-run')
  return [
    ...(isDry ? told(foreign, 'was not exported from the space or was changed; --force overwrites it') : []),
    ...told(left, 'is no longer part of the content but was changed; it is kept'),
    ...told(missing, 'was too large to be imported and cannot be exported'),
    isDry
      ? `${counted(write.length, 'file')} would be written and ${remove.length} removed in ${printable(parameters[0] as string)}; ${right.size} are up to date.`
      : `Wrote ${counted(write.length, 'file')} to ${printable(parameters[0] as string)} and removed ${remove.length}; ${right.size} were up to date. Took ${time}.`,
  ]
}
