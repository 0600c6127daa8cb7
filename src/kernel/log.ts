import { inspect } from 'node:util'

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export type LogFields = Record<string, unknown>

export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  with(fields: LogFields): Log
}

export interface LogOptions {
  level: LogLevel
  format: 'json' | 'pretty'
  write?: (line: string) => void
}

/**
 * Creates a logger that writes lines with a message and fields. Callers must not pass headers, query strings or bodies,
 * which may contain secrets.
 */
export function createLog(options: LogOptions, bound: LogFields = {}): Log {
  const threshold = logLevels.indexOf(options.level)
  const write = options.write ?? ((line: string) => process.stdout.write(line))
  const formatLine = options.format === 'json' ? formatJsonLine : formatPrettyLine
  const createWriter = (level: LogLevel) => {
    if (logLevels.indexOf(level) < threshold) return () => {}
    return (message: string, fields?: LogFields) => write(formatLine(level, message, { ...bound, ...fields }))
  }
  return {
    debug: createWriter('debug'),
    info: createWriter('info'),
    warn: createWriter('warn'),
    error: createWriter('error'),
    with: (fields) => createLog(options, { ...bound, ...fields }),
  }
}

function formatJsonLine(level: LogLevel, message: string, fields: LogFields): string {
  const start = { time: new Date().toISOString(), level, message }
  try {
    return `${JSON.stringify({ ...start, ...replaceErrors(fields) })}\n`
  } catch {
    // A log call must not fail because of a value that JSON cannot represent (a cycle, a bigint).
    return `${JSON.stringify({ ...start, fields: inspect(replaceErrors(fields), { breakLength: Infinity }) })}\n`
  }
}

const levelColors: Record<string, string> = {
  debug: '\u001b[90m',
  info: '\u001b[36m',
  warn: '\u001b[33m',
  error: '\u001b[31m',
}

function formatPrettyLine(level: LogLevel, message: string, fields: LogFields): string {
  const time = new Date().toTimeString().slice(0, 8)
  const rest = Object.entries(replaceErrors(fields)).map(
    ([key, value]) => ` ${key}=${typeof value === 'string' ? value : inspect(value, { breakLength: Infinity })}`,
  )
  return `${time} ${levelColors[level] ?? ''}${level.padEnd(5)}\u001b[0m ${message}${rest.join('')}\n`
}

function replaceErrors(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      value instanceof Error ? (value.stack ?? value.message) : value,
    ]),
  )
}
