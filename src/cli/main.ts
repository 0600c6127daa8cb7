import { ConfigError } from '../config.ts'
import { AppError } from '../kernel/errors.ts'
import { DatabaseTooNew } from '../storage/migrate.ts'
import { FolderInUse } from '../storage/lock.ts'
import { type Command, UsageError, helpOf, overview, parse } from './command.ts'
import { backupCommand, restoreCommand } from './backup.ts'
import { doctorCommand } from './doctor.ts'
import { migrateCommand } from './migrate.ts'
import { orgCreateCommand, orgListCommand } from './organizations.ts'
import { serveCommand } from './serve.ts'
import { tokenCreateCommand, tokenListCommand, tokenRevokeCommand } from './tokens.ts'
import { userCreateCommand, userListCommand } from './users.ts'

const commands: Command[] = [
  serveCommand,
  tokenCreateCommand,
  tokenListCommand,
  tokenRevokeCommand,
  userCreateCommand,
  userListCommand,
  orgCreateCommand,
  orgListCommand,
  backupCommand,
  restoreCommand,
  migrateCommand,
  doctorCommand,
]

/** Exit codes: 0 done, 1 failed, 2 called wrongly. */
async function main(words: string[]): Promise<number> {
  const wantsHelp = words.length === 0 || words.some((word) => word === '--help' || word === '-h' || word === 'help')
  const named = words.filter((word) => !word.startsWith('-') && word !== 'help')
  const command = commands.find(({ name }) => name.split(' ').every((part, index) => named[index] === part))
  if (!command) {
    const group = commands.filter(({ name }) => name.startsWith(`${named[0]} `))
    if (wantsHelp || group.length > 0) {
      console.log(overview(group.length > 0 ? group : commands))
      return wantsHelp ? 0 : 2
    }
    console.error(`octavo: there is no command \`${named.join(' ')}\`. \`octavo --help\` lists them.`)
    return 2
  }
  if (wantsHelp) {
    console.log(helpOf(command))
    return 0
  }
  try {
    return (await command.run(parse(command, words))) ?? 0
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`octavo ${command.name}: ${error.message}\n\n${helpOf(command)}`)
      return 2
    }
    console.error(`octavo ${command.name}: ${messageOf(error)}`)
    return 1
  }
}

/** Foreseen failures are told in a sentence; others with all there is, because somebody has to find their cause. */
function messageOf(error: unknown): string {
  const foreseen = [ConfigError, AppError, DatabaseTooNew, FolderInUse]
  if (foreseen.some((kind) => error instanceof kind)) return (error as Error).message
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return `the port is in use already: ${(error as Error).message}`
  if (code === 'EACCES' || code === 'ENOENT' || code === 'ECONNREFUSED') return (error as Error).message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

process.exitCode = await main(process.argv.slice(2))
