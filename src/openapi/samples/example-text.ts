import type { NormalizedSchema, SchemaLimitKind } from '../schema.ts'

// Example values of strings and numbers, by format and by the name of the field.

const textByFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00.000Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'ada@example.com',
  'idn-email': 'ada@example.com',
  uri: 'https://example.com',
  url: 'https://example.com',
  iri: 'https://example.com',
  'uri-reference': '/path',
  'uri-template': 'https://example.com/{id}',
  hostname: 'docs.example.com',
  'idn-hostname': 'docs.example.com',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  byte: 'aGVsbG8=',
  base64: 'aGVsbG8=',
  base64url: 'aGVsbG8',
  'json-pointer': '/path/to/value',
  regex: '^[a-z]+$',
  password: 'correct-horse-battery',
  decimal: '19.99',
}

/** Example texts by the last words of a name; the first that matches is used. */
const textByName: readonly (readonly [RegExp, string])[] = [
  [/\be ?mail( address)?$/, 'ada@example.com'],
  [/\b(first|given) name$/, 'Ada'],
  [/\b(last|family|sur) ?name$/, 'Lovelace'],
  [/\b(full|display|author|customer|owner|contact) name$/, 'Ada Lovelace'],
  [/\b(user ?name|login|handle)$/, 'ada'],
  [/\b(password|passphrase)$/, 'correct-horse-battery'],
  [/\b(phone|mobile|fax)( number)?$/, '+12025550123'],
  [/\b(avatar|photo|image|picture|icon|logo|thumbnail) ?(url|uri)$/, 'https://example.com/image.png'],
  [/\b(url|uri|href|link|website|homepage|endpoint|webhook)$/, 'https://example.com'],
  [/\b(domain|host ?name|host)$/, 'example.com'],
  [/\bip( address)?$/, '192.0.2.1'],
  [
    /\b(created|updated|modified|deleted|published|expires|started|finished|completed|sent|received) (at|on|time)$/,
    '2026-01-31T12:00:00.000Z',
  ],
  [/\b(timestamp|date ?time|at)$/, '2026-01-31T12:00:00.000Z'],
  [/\b(date|birthday|day)$/, '2026-01-31'],
  [/\btime ?zone$/, 'Europe/Berlin'],
  [/\bcountry( code)?$/, 'DE'],
  [/\bcity$/, 'Berlin'],
  [/\b(region|province)$/, 'Berlin'],
  [/\b(street|address|line ?1|address line 1)$/, '1 Main Street'],
  [/\b(zip( ?code)?|post(al)? ?code)$/, '10115'],
  [/\bcurrency( code)?$/, 'EUR'],
  [/\b(locale|language|lang)( code)?$/, 'en'],
  [/\bcolou?r$/, '#3b82f6'],
  [/\bslug$/, 'getting-started'],
  [/\b(version|release)$/, '1.0.0'],
  [/\b(sha|sha ?1|commit)$/, '9f2c1e7a4b6d8c0e2f4a6b8c0d2e4f6a8b0c2d4e'],
  [/\b(hash|digest|checksum|etag)$/, '5d41402abc4b2a76b9719d911017c592'],
  [/\b(file ?name|attachment)$/, 'report.pdf'],
  [/\b(mime|content|media) type$/, 'application/json'],
  [/\b(path|directory|folder)$/, '/path/to/file'],
  [/\b(cursor|page token|next token|next|prev|after|before|starting after|ending before)$/, 'eyJpZCI6MTIzfQ'],
  [/\b((api|access|secret|private) key|token|secret)$/, 'secret_a1b2c3d4e5f6'],
  [/\b(query|search|q|keyword|term)$/, 'getting started'],
  [/\bbranch$/, 'main'],
  [/\b(repository|repo)$/, 'example/docs'],
  [/\b(message|text|comment|note|body|content)$/, 'Hello, world'],
  [/\b(description|summary|about|bio)$/, 'A short description'],
  [/\b(markdown|html)$/, 'Hello, world'],
  [/\b(status|state)$/, 'active'],
  [/\bemoji$/, '1f680'],
  [/\bicon$/, 'star'],
]

const numberByName: readonly (readonly [RegExp, number])[] = [
  [/\bage$/, 36],
  [/\byear$/, 2026],
  [/\bmonth$/, 1],
  [/\b(latitude|lat)$/, 52.52],
  [/\b(longitude|lng|lon)$/, 13.405],
  [/\b(price|amount|cost|balance|fee|subtotal)$/, 19.99],
  [/\b(percent|percentage|progress)$/, 50],
  [/\bport$/, 8080],
  [/\b(status|status code|http status)$/, 200],
  [/\b(width)$/, 1200],
  [/\b(height)$/, 630],
  [/\b(size|bytes|content length)$/, 1024],
  [/\b(timeout|duration|seconds|ttl|expires in)$/, 3600],
  [/\b(timestamp|created|updated|created at|updated at|expires at)$/, 1_769_860_800],
  [/\b(limit|per page|page size)$/, 20],
  [/\b(offset|skip|index|position)$/, 0],
  [/\bid$/, 123],
]

const people =
  /\b(user|person|people|member|customer|account|contact|author|employee|owner|student|patient|client|guest)s?$/

/** Splits a name such as `createdAt` or `created_at` into words in lower case. */
export const splitWords = (name: string): string =>
  name
    .slice(0, 100)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase()

/** Returns an example of a string. `name` is the name of its field, `parent` that of the schema around it. */
export function createExampleText(
  { format, limits }: NormalizedSchema,
  name: string | undefined,
  parent: string | undefined,
): string {
  const known = format !== undefined && Object.hasOwn(textByFormat, format) ? textByFormat[format] : undefined
  return fitLength(known ?? guessText(splitWords(name ?? ''), splitWords(parent ?? '')), limits)
}

function guessText(words: string, parentWords: string): string {
  if (words === '') return 'text'
  const subject = /\bids?$/.test(words) ? words.replace(/ ?\bids?$/, '') || parentWords : undefined
  if (subject !== undefined) return `${toIdPrefix(subject)}123`
  const isPerson = people.test(parentWords)
  if (/\bname$/.test(words) && isPerson) return 'Ada Lovelace'
  for (const [pattern, text] of textByName) if (pattern.test(words)) return text
  if (/^(name|title|label|subject|headline)$/.test(words))
    return parentWords === '' ? 'Example' : `Example ${parentWords}`
  return `Example ${words}`
}

/** Returns a prefix of ids such as `org_`. */
function toIdPrefix(words: string): string {
  const last = words.split(' ').at(-1) ?? ''
  return last === '' ? 'id_' : `${last}_`
}

/** Shortens or extends a text to the limits of its schema. */
function fitLength(text: string, limits: NormalizedSchema['limits']): string {
  const minimum = Math.min(findLimit(limits, 'minLength') ?? 0, 200)
  const maximum = findLimit(limits, 'maxLength')
  const long = text.length < minimum ? text.padEnd(minimum, 'x') : text
  return maximum !== undefined && maximum >= 0 && long.length > maximum ? long.slice(0, maximum) : long
}

/** Returns an example of a number within its limits. */
export function createExampleNumber({ types, format, limits }: NormalizedSchema, name: string | undefined): number {
  const isInteger = types[0] === 'integer' || format === 'int32' || format === 'int64'
  const words = splitWords(name ?? '')
  const guessed = numberByName.find(([pattern]) => pattern.test(words))?.[1] ?? 1
  const lowest = findLimit(limits, 'minimum') ?? addStep(findLimit(limits, 'exclusiveMinimum'), isInteger ? 1 : 0.1)
  const highest = findLimit(limits, 'maximum') ?? addStep(findLimit(limits, 'exclusiveMaximum'), isInteger ? -1 : -0.1)
  const inside = Math.max(lowest ?? guessed, Math.min(guessed, highest ?? guessed))
  const step = findLimit(limits, 'multipleOf')
  const stepped = step !== undefined && step > 0 ? Math.ceil(inside / step) * step : inside
  return isInteger ? Math.ceil(stepped) : stepped
}

const addStep = (value: number | undefined, step: number): number | undefined =>
  value === undefined ? undefined : value + step

function findLimit(limits: NormalizedSchema['limits'], kind: SchemaLimitKind): number | undefined {
  const value = limits.find((limit) => limit.kind === kind)?.value
  return value === undefined ? undefined : Number(value)
}

/** Returns an example of a flag. */
export const createExampleFlag = (name: string | undefined): boolean =>
  !/\b(deleted|disabled|archived|hidden|deprecated|expired|revoked|blocked|banned|failed|has more)$/.test(
    splitWords(name ?? ''),
  )
