import { createOpenObjects, ignoredJobs, openBlobs } from '../server/app.ts'
import type { Config } from '../server/config.ts'
import { Queue } from '../jobs/queue.ts'
import type { Database } from '../storage/database.ts'
import { type Imported, type Target, importInto } from './import-into.ts'
import { interruptible } from './interrupt.ts'
import { createProgress } from './progress.ts'
import { type Source, type SourceRequest, nameOfSource, withSource } from './sources.ts'
import { getSpaceById } from './spaces.ts'

/** Imports a source into the target that `chooseTarget` returns once the source is open. */
export async function importSource(
  database: Database,
  config: Config,
  request: SourceRequest,
  chooseTarget: (source: Source) => Promise<Target>,
): Promise<{ imported: Imported; name: string }> {
  const services = { database, blobs: openBlobs(config), clock: Date.now }
  const { enqueue } = new Queue(database, Date.now, { ignored: ignoredJobs(config) })
  const progress = createProgress()
  try {
    const imported = await interruptible((signal, breathe) =>
      withSource(request, { services, config, progress, signal }, async (source) => {
        const target = await chooseTarget(source)
        const space = await getSpaceById(database.reader, target.spaceId)
        const objects = createOpenObjects(Date.now)(database.reader, space.organization_id)
        return importInto({ services, objects, enqueue, progress, breathe }, source, target)
      }),
    )
    return { imported, name: nameOfSource(request) }
  } finally {
    progress.end()
  }
}
