import { expect, test } from 'vitest'
import { type LogOptions, createLog } from '../../src/kernel/log.ts'

function logFor(options: Partial<LogOptions> = {}) {
  const lines: string[] = []
  return { lines, log: createLog({ level: 'debug', format: 'json', write: (line) => lines.push(line), ...options }) }
}

test('writes each line as one JSON object with time, level, message and fields', () => {
  const { lines, log } = logFor()
  log.info('Hello\n"world"', { count: 3, nested: { a: [1] } })
  log.with({ requestId: 'r1' }).warn('Careful')
  expect(lines.map((line) => line.endsWith('\n') && line.indexOf('\n') === line.length - 1)).toEqual([true, true])
  const [first, second] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(first).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    level: 'info',
    message: 'Hello\n"world"',
    count: 3,
    nested: { a: [1] },
  })
  expect(second).toMatchObject({ level: 'warn', message: 'Careful', requestId: 'r1' })
})

test('logs fields that JSON cannot represent as text', () => {
  const { lines, log } = logFor()
  const cycle: Record<string, unknown> = { name: 'snake' }
  cycle['tail'] = cycle
  log.info('Odd', { cycle, huge: 10n })
  expect(JSON.parse(lines[0] as string)).toMatchObject({ message: 'Odd', fields: expect.stringContaining('snake') })
})

test.each(['json', 'pretty'] as const)(
  'logs the message and stack of an error, but no other properties (%s)',
  (format) => {
    const { lines, log } = logFor({ format })
    const error = Object.assign(new Error('duplicate key'), {
      detail: 'Key (email)=(ada@example.com) already exists.',
      config: { password: 'hush' },
      cause: new Error('postgres://octavo:hush@db'),
    })
    log.error('It failed', { error })
    expect(lines[0]).toContain('duplicate key')
    expect(lines[0]).toContain('log.test.ts')
    expect(lines[0]).not.toMatch(/hush|ada@example\.com/)
  },
)

test('does not write lines below the level', () => {
  const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const
  const written = levels.map((level) => {
    const { lines, log } = logFor({ level })
    log.debug('a')
    log.info('b')
    log.warn('c')
    log.with({ more: true }).error('d')
    return lines.map((line) => (JSON.parse(line) as { message: string }).message).join('')
  })
  expect(written).toEqual(['abcd', 'bcd', 'cd', 'd', ''])
})

test('the pretty format has the message followed by the fields', () => {
  const { lines, log } = logFor({ format: 'pretty' })
  log.with({ requestId: 'r1' }).info('Ready', { port: 3000 })
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d \S*info \S* Ready requestId=r1 port=3000\n$/)
})
