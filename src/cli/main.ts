import { type Command, UsageError, helpOf, overview, parse } from './command.ts'
import { backupCommand, restoreCommand } from './backup.ts'
import { checkCommand } from './check.ts'
import { doctorCommand } from './doctor.ts'
import { exportCommand } from './export.ts'
import { describeFailure } from './failure.ts'
import { importCommand } from './import.ts'
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
  importCommand,
  exportCommand,
  checkCommand,
  backupCommand,
  restoreCommand,
  migrateCommand,
  doctorCommand,
]

/** Exit codes: 0 done, 1 failed, 2 called wrongly. */
async function main(words: string[]): Promise<number> {
  const wantsHelp = words.length === 0 || words[0] === 'help' || words.includes('--help') || words.includes('-h')
  const named = words.slice(words[0] === 'help' ? 1 : 0).filter((word) => !word.startsWith('-'))
  const command = commands.find(({ name }) => name.split(' ').every((part, index) => named[index] === part))
  if (!command) {
    const group = commands.filter(({ name }) => name.startsWith(`${named[0]} `))
    if (wantsHelp && (group.length > 0 || named.length === 0)) {
      console.log(overview(group.length > 0 ? group : commands))
      return 0
    }
    console.error(`octavo: there is no command \`${words.join(' ')}\`. \`octavo --help\` lists them.`)
    if (group.length > 0) console.error(`\n${overview(group)}`)
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
    console.error(`octavo ${command.name}: ${describeFailure(error)}`)
    return 1
  }
}

process.exitCode = await main(process.argv.slice(2))
