import { readBuild } from '../build.ts'
import { type Command, UsageError, formatHelp, formatOverview, parseArguments } from './command.ts'
import { auditCommand } from './audit.ts'
import { backupCommand, restoreCommand } from './backup.ts'
import { checkCommand } from './check.ts'
import { doctorCommand } from './doctor.ts'
import { exportCommand } from './export.ts'
import { describeFailure } from './failure.ts'
import { importCommand } from './import.ts'
import { loginLinkCommand, logoutCommand } from './login-link.ts'
import { migrateCommand } from './migrate.ts'
import { orgCreateCommand, orgListCommand } from './organizations.ts'
import { publishCommand } from './publish.ts'
import { serveCommand } from './serve.ts'
import { siteCreateCommand, siteListCommand } from './sites.ts'
import { spaceCreateCommand, spaceListCommand } from './spaces.ts'
import { ssoOffCommand } from './sso.ts'
import { suggest } from './suggest.ts'
import { tokenCreateCommand, tokenListCommand, tokenRevokeCommand } from './tokens.ts'
import { translateCommand } from './translate.ts'
import { userCreateCommand, userListCommand } from './users.ts'

const commands: Command[] = [
  serveCommand,
  publishCommand,
  tokenCreateCommand,
  tokenListCommand,
  tokenRevokeCommand,
  userCreateCommand,
  userListCommand,
  loginLinkCommand,
  logoutCommand,
  orgCreateCommand,
  orgListCommand,
  ssoOffCommand,
  spaceCreateCommand,
  spaceListCommand,
  siteCreateCommand,
  siteListCommand,
  importCommand,
  exportCommand,
  checkCommand,
  translateCommand,
  auditCommand,
  backupCommand,
  restoreCommand,
  migrateCommand,
  doctorCommand,
]

/** Runs the command line; returns the exit code: 0 for success, 1 for failure, 2 for wrong usage. */
async function main(argv: string[]): Promise<number> {
  if (argv[0] === '--version' || argv[0] === '-v') {
    console.log(`octavo ${readBuild().version}`)
    return 0
  }
  const wantsHelp = argv.length === 0 || argv[0] === 'help' || argv.includes('--help') || argv.includes('-h')
  const commandWords = argv.slice(argv[0] === 'help' ? 1 : 0).filter((word) => !word.startsWith('-'))
  const command = commands.find(({ name }) => name.split(' ').every((part, index) => commandWords[index] === part))
  if (!command) {
    const group = commands.filter(({ name }) => name.startsWith(`${commandWords[0]} `))
    if (wantsHelp && (group.length > 0 || commandWords.length === 0)) {
      console.log(formatOverview(group.length > 0 ? group : commands))
      return 0
    }
    const suggestion = suggestCommand(commandWords)
    const hint =
      suggestion === undefined
        ? 'Run `octavo --help` for a list of commands.'
        : `Did you mean \`octavo ${suggestion}\`?`
    console.error(`octavo: unknown command \`${argv.join(' ')}\`. ${hint}`)
    if (group.length > 0) console.error(`\n${formatOverview(group)}`)
    return 2
  }
  if (wantsHelp) {
    console.log(formatHelp(command))
    return 0
  }
  try {
    return (await command.run(parseArguments(command, argv))) ?? 0
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`octavo ${command.name}: ${error.message}\n\n${formatHelp(command)}`)
      return 2
    }
    console.error(`octavo ${command.name}: ${describeFailure(error)}`)
    return 1
  }
}

/** Returns the command that mistyped words most likely mean; undefined if none is close. */
function suggestCommand([first = '', second]: string[]): string | undefined {
  const start = suggest(first, ['help', ...new Set(commands.map(({ name }) => name.split(' ')[0] as string))])
  const actions = commands.flatMap(({ name }) => (name.startsWith(`${start} `) ? [name.split(' ')[1] as string] : []))
  if (start === undefined || actions.length === 0) return start
  const action = second === undefined ? undefined : suggest(second, actions)
  if (action === undefined && first === start) return undefined
  return action === undefined ? `${start} ${actions.join('|')}` : `${start} ${action}`
}

process.exitCode = await main(process.argv.slice(2))
