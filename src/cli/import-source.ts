import { createOpenObjects, ignoredJobs } from '../server/app.ts'
import { openBlobs } from '../server/stores.ts'
import type { Config } from '../server/config.ts'
import { Queue } from '../jobs/queue.ts'
import type { Database } from '../storage/database.ts'
import { type ImportResult, type ContentTarget, importInto } from './import-into.ts'
import { runInterruptible } from './interrupt.ts'
import { createProgress } from './progress.ts'
import { type OpenedSource, type SourceRequest, formatSourceName, withSource } from './sources.ts'
import { getSpaceById } from './spaces.ts'

/** Imports a source into the target that `chooseTarget` returns once the source is open. */
export async function importSource(
  database: Database,
  config: Config,
  request: SourceRequest,
  chooseTarget: (source: OpenedSource) => Promise<ContentTarget>,
): Promise<{ imported: ImportResult; name: string }> {
  const services = { database, blobs: openBlobs(config), clock: Date.now }
  const { enqueue } = new Queue(database, Date.now, { ignored: ignoredJobs(config) })
  const openObjects = createOpenObjects(Date.now)
  const progress = createProgress()
  try {
    const imported = await runInterruptible((signal, yieldIfDue) =>
      withSource(request, { services, config, progress, signal }, async (source) => {
        const target = await chooseTarget(source)
        const space = await getSpaceById(database.reader, target.spaceId)
        const objects = openObjects(database.reader, space.organization_id)
        return importInto({ services, objects, enqueue, openObjects, progress, yieldIfDue }, source, target)
      }),
    )
    return { imported, name: formatSourceName(request) }
  } finally {
    progress.end()
  }
}
