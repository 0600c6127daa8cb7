import { openDatabase } from '../server/stores.ts'
import { createLog } from '../kernel/log.ts'
import { migrate, latestSchemaVersion } from '../storage/migrate.ts'
import type { Command } from './command.ts'
import { configFromEnvironment } from './environment.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Migrate the database to the newest version; the server also does this when it starts',
  async run() {
    const config = configFromEnvironment()
    const database = openDatabase(config, createLog({ level: 'error', format: config.logFormat }))
    try {
      const steps = await migrate(database)
      for (const step of steps) console.log(`Applied: ${step}`)
      console.log(`The database has version ${latestSchemaVersion}.`)
    } finally {
      await database.close()
    }
  },
}
