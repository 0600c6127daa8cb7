import { readBuild } from '../build.ts'
import { type Command, UsageError, formatHelp, formatOverview, parseArguments } from './command.ts'
import { suggest } from './suggest.ts'

/** The commands by name. Each is loaded only when it is used, because loading all takes longer than most commands. */
const commands = new Map<string, () => Promise<Command>>([
  ['serve', async () => (await import('./serve.ts')).serveCommand],
  ['publish', async () => (await import('./publish.ts')).publishCommand],
  ['token create', async () => (await import('./tokens.ts')).tokenCreateCommand],
  ['token list', async () => (await import('./tokens.ts')).tokenListCommand],
  ['token revoke', async () => (await import('./tokens.ts')).tokenRevokeCommand],
  ['user create', async () => (await import('./users.ts')).userCreateCommand],
  ['user operator', async () => (await import('./users.ts')).userOperatorCommand],
  ['user list', async () => (await import('./users.ts')).userListCommand],
  ['login-link', async () => (await import('./login-link.ts')).loginLinkCommand],
  ['logout', async () => (await import('./login-link.ts')).logoutCommand],
  ['org create', async () => (await import('./organizations.ts')).orgCreateCommand],
  ['org list', async () => (await import('./organizations.ts')).orgListCommand],
  ['sso off', async () => (await import('./sso.ts')).ssoOffCommand],
  ['space create', async () => (await import('./spaces.ts')).spaceCreateCommand],
  ['space list', async () => (await import('./spaces.ts')).spaceListCommand],
  ['site create', async () => (await import('./sites.ts')).siteCreateCommand],
  ['site list', async () => (await import('./sites.ts')).siteListCommand],
  ['import', async () => (await import('./import.ts')).importCommand],
  ['export', async () => (await import('./export.ts')).exportCommand],
  ['check', async () => (await import('./check.ts')).checkCommand],
  ['translate', async () => (await import('./translate.ts')).translateCommand],
  ['audit', async () => (await import('./audit.ts')).auditCommand],
  ['backup', async () => (await import('./backup.ts')).backupCommand],
  ['restore', async () => (await import('./backup.ts')).restoreCommand],
  ['migrate', async () => (await import('./migrate.ts')).migrateCommand],
  ['doctor', async () => (await import('./doctor.ts')).doctorCommand],
])
const names = [...commands.keys()]

const load = (wanted: readonly string[]): Promise<Command[]> =>
  Promise.all(wanted.flatMap((name) => commands.get(name)?.() ?? []))

/** Runs the command line; returns the exit code: 0 for success, 1 for failure, 2 for wrong usage. */
export async function runCommandLine(argv: string[]): Promise<number> {
  if (argv[0] === '--version' || argv[0] === '-v') {
    console.log(`octavo ${readBuild().version}`)
    return 0
  }
  const wantsHelp = argv.length === 0 || argv[0] === 'help' || argv.includes('--help') || argv.includes('-h')
  const commandWords = argv.slice(argv[0] === 'help' ? 1 : 0).filter((word) => !word.startsWith('-'))
  const isMeant = (name: string) => name.split(' ').every((part, index) => commandWords[index] === part)
  const [command] = await load(names.filter(isMeant))
  if (!command) {
    const group = names.filter((name) => name.startsWith(`${commandWords[0]} `))
    if (wantsHelp && (group.length > 0 || commandWords.length === 0)) {
      console.log(formatOverview(await load(group.length > 0 ? group : names)))
      return 0
    }
    const suggestion = suggestCommand(commandWords)
    const hint =
      suggestion === undefined
        ? 'Run `octavo --help` for a list of commands.'
        : `Did you mean \`octavo ${suggestion}\`?`
    console.error(`octavo: unknown command \`${argv.join(' ')}\`. ${hint}`)
    if (group.length > 0) console.error(`\n${formatOverview(await load(group))}`)
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
    const { describeFailure } = await import('./failure.ts')
    console.error(`octavo ${command.name}: ${describeFailure(error)}`)
    return 1
  }
}

/** Returns the command that mistyped words most likely mean; undefined if none is close. */
function suggestCommand([first = '', second]: string[]): string | undefined {
  const start = suggest(first, ['help', ...new Set(names.map((name) => name.split(' ')[0] as string))])
  const actions = names.flatMap((name) => (name.startsWith(`${start} `) ? [name.split(' ')[1] as string] : []))
  if (start === undefined || actions.length === 0) return start
  const action = second === undefined ? undefined : suggest(second, actions)
  if (action === undefined && first === start) return undefined
  return action === undefined ? `${start} ${actions.join('|')}` : `${start} ${action}`
}
