/** Values of the fields of something, by the names that the API uses. */
export type AuditValues = Readonly<Record<string, unknown>>

/** Maximum length of a value as JSON; longer values are truncated. */
const maxValueLength = 1000
/** Maximum length of all values of an event. */
const maxTotalLength = 8000

/** Returns only the fields with different values; undefined if there are none. */
export function findChangedValues(
  before: AuditValues,
  after: AuditValues,
): { before: AuditValues; after: AuditValues } | undefined {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  if (names.length === 0) return undefined
  const pick = (values: AuditValues) => Object.fromEntries(names.map((name) => [name, values[name] ?? null]))
  return { before: pick(before), after: pick(after) }
}

/** Returns values as JSON of limited length: long values are truncated, and fields that no longer fit are omitted. */
export function serializeAuditValues(values: AuditValues | undefined): string | null {
  if (values === undefined) return null
  const parts: string[] = []
  let length = 0
  for (const [name, value] of Object.entries(values)) {
    const part = `${JSON.stringify(name)}:${serializeValue(value)}`
    length += part.length
    if (length > maxTotalLength) break
    if (value !== undefined) parts.push(part)
  }
  return `{${parts.join(',')}}`
}

function serializeValue(value: unknown): string {
  const json = JSON.stringify(value) ?? 'null'
  if (json.length <= maxValueLength) return json
  return JSON.stringify(`${json.slice(0, maxValueLength)}…`.toWellFormed())
}
