import { parseArgs } from 'node:util'
import { suggest } from './suggest.ts'

export interface CommandOption {
  description: string
  /** Name of its value in the help; an option without a value is a switch. */
  value?: string
}

export interface Command {
  /** One or two words. */
  name: string
  summary: string
  /** Names of the positional arguments; those in brackets are optional. */
  parameters?: string[]
  options?: Record<string, CommandOption>
  /** Runs the command; returns the exit code, or nothing for 0. */
  run(input: CommandInput): Promise<number | undefined | void>
}

export interface CommandInput {
  parameters: string[]
  options: Record<string, string | undefined>
  switches: Set<string>
}

/** Error for invalid arguments of a command. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}

export function parseArguments(command: Command, argv: string[]): CommandInput {
  const declared = command.options ?? {}
  let parsed
  try {
    parsed = parseArgs({
      args: argv,
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(declared).map(([name, { value }]) => [
          name,
          { type: value ? ('string' as const) : ('boolean' as const) },
        ]),
      ),
    })
  } catch (error) {
    throw new UsageError(describeParseError(error as Error, Object.keys(declared)))
  }
  const parameters = parsed.positionals.slice(command.name.split(' ').length)
  const names = command.parameters ?? []
  const requiredCount = names.filter((name) => !name.startsWith('[')).length
  if (parameters.length < requiredCount) throw new UsageError(`${names[parameters.length]} is missing`)
  if (parameters.length > names.length) throw new UsageError(`unexpected argument ${parameters[names.length]}`)
  const options: Record<string, string | undefined> = {}
  const switches = new Set<string>()
  for (const [name, value] of Object.entries(parsed.values)) {
    if (typeof value === 'string') options[name] = value
    else if (value === true) switches.add(name)
  }
  return { parameters, options, switches }
}

function describeParseError({ message }: Error, declared: readonly string[]): string {
  const [sentence = message] = message.split('. ')
  const unknown = /^Unknown option '--([^']+)'/.exec(sentence)?.[1]
  const suggestion = unknown === undefined ? undefined : suggest(unknown, declared)
  return suggestion === undefined ? sentence : `${sentence}. Did you mean --${suggestion}?`
}

/** Returns the value of a required option; fails if it is missing. */
export function requireOption({ options }: CommandInput, name: string): string {
  const value = options[name]
  if (value === undefined) throw new UsageError(`--${name} is missing`)
  return value
}

export function formatOverview(commands: Command[]): string {
  const width = Math.max(...commands.map((command) => formatUsage(command).length))
  const lines = commands.map((command) => `  ${formatUsage(command).padEnd(width)}  ${command.summary}`)
  return [
    'Usage: octavo <command> [options]',
    '',
    ...lines,
    '',
    'All commands are configured by environment variables: HOST, PORT, OCTAVO_DATA, DATABASE_URL, …',
    'Run `octavo <command> --help` for the options of a command, `octavo --version` for the version.',
  ].join('\n')
}

export function formatHelp(command: Command): string {
  const options = Object.entries(command.options ?? {}).map(
    ([name, { description, value }]) => [`--${name}${value ? ` <${value}>` : ''}`, description] as const,
  )
  const width = Math.max(0, ...options.map(([call]) => call.length))
  return [
    `Usage: octavo ${formatUsage(command)}${options.length > 0 ? ' [options]' : ''}`,
    '',
    command.summary,
    ...(options.length > 0
      ? ['', ...options.map(([call, description]) => `  ${call.padEnd(width)}  ${description}`)]
      : []),
  ].join('\n')
}

function formatUsage({ name, parameters = [] }: Command): string {
  return [name, ...parameters.map((parameter) => (parameter.startsWith('[') ? parameter : `<${parameter}>`))].join(' ')
}

/** Prints rows in columns, or a message if there are none. */
export function printTable(headings: string[], rows: string[][], emptyMessage: string): void {
  if (rows.length === 0) return console.log(emptyMessage)
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => (row[column] ?? '').length)),
  )
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] as number))
      .join('  ')
      .trimEnd()
  console.log([line(headings), ...rows.map(line)].join('\n'))
}
