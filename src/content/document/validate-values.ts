// Readers check an untrusted value and return a normalized one, or throw an error with the path of the problem.

export class DocumentError extends Error {
  /** Path in the document, such as `nodes.3.data.style`; empty for the document itself. */
  readonly path: string

  constructor(message: string, path: string) {
    super(message)
    this.name = 'DocumentError'
    this.path = path
  }
}

export type Read<Value> = (value: unknown, path: string) => Value

export type FieldReaders<Value> = { readonly [Name in keyof Value]-?: Read<Value[Name]> }

export type UnknownObject = Readonly<Record<string, unknown>>

export const below = (path: string, name: string | number) => (path === '' ? String(name) : `${path}.${name}`)

export const object: Read<UnknownObject> = (value, path) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new DocumentError('Must be an object', path)
  return value as UnknownObject
}

/** Returns an own property. */
export const member = (from: UnknownObject, name: string): unknown =>
  Object.hasOwn(from, name) ? from[name] : undefined

/** Characters that databases and files cannot store: NUL and unpaired surrogates. */
const unstorable = /\0|\p{Surrogate}/u

export const text: Read<string> = (value, path) => {
  if (typeof value !== 'string') throw new DocumentError('Must be a string', path)
  if (unstorable.test(value)) throw new DocumentError('Must not contain NUL or an unpaired surrogate', path)
  return value
}

export const matching =
  (pattern: RegExp, meaning: string): Read<string> =>
  (value, path) => {
    const read = text(value, path)
    if (!pattern.test(read)) throw new DocumentError(`Must be ${meaning}`, path)
    return read
  }

export const flag: Read<boolean> = (value, path) => {
  if (typeof value !== 'boolean') throw new DocumentError('Must be true or false', path)
  return value
}

export const number =
  (low = -Number.MAX_VALUE, high = Number.MAX_VALUE): Read<number> =>
  (value, path) => {
    if (typeof value !== 'number') throw new DocumentError('Must be a number', path)
    if (!(value >= low && value <= high)) throw new DocumentError(`Must be between ${low} and ${high}`, path)
    // JSON contains -0, but its canonical JSON is the same as that of 0.
    return value === 0 ? 0 : value
  }

export const integer = (low: number, high: number): Read<number> => {
  const inRange = number(low, high)
  return (value, path) => {
    if (!Number.isInteger(value)) throw new DocumentError('Must be a whole number', path)
    return inRange(value, path)
  }
}

export const oneOf = <const Value extends string>(...values: readonly Value[]): Read<Value> => {
  const known: ReadonlySet<unknown> = new Set(values)
  return (value, path) => {
    if (!known.has(value)) throw new DocumentError(`Must be one of ${values.join(', ')}`, path)
    return value as Value
  }
}

/** Reads an optional value; null is treated as undefined. */
export const optional =
  <Value>(read: Read<Value>): Read<Value | undefined> =>
  (value, path) =>
    value === undefined || value === null ? undefined : read(value, path)

export const withDefault =
  <Value>(read: Read<Value>, fallback: Value): Read<Value> =>
  (value, path) =>
    value === undefined || value === null ? fallback : read(value, path)

export const list =
  <Value>(read: Read<Value>): Read<readonly Value[]> =>
  (value, path) => {
    if (!Array.isArray(value)) throw new DocumentError('Must be a list', path)
    return value.map((item, index) => read(item, below(path, index)))
  }

/** Reads an object with user-defined keys; `read` gets each key. */
export const map =
  <Value>(read: (value: unknown, path: string, name: string) => Value): Read<Readonly<Record<string, Value>>> =>
  (value, path) =>
    Object.fromEntries(
      Object.entries(object(value, path)).map(([name, one]) => {
        const place = below(path, name)
        text(name, place)
        if (name === '__proto__') throw new DocumentError('Must not be `__proto__`', place)
        return [name, read(one, place, name)]
      }),
    )

/** Reads an object with known fields; omits others. */
export function fields<Value extends object>(readers: FieldReaders<Value>): Read<Value> {
  const entries = Object.entries<Read<unknown>>(readers)
  return (value, path) => {
    const source = object(value, path)
    const clean: Record<string, unknown> = {}
    for (const [name, read] of entries) {
      const one = read(member(source, name), below(path, name))
      if (one !== undefined) clean[name] = one
    }
    return clean as Value
  }
}

/** Members of a union in which the property `Name` can be `Kind`. */
export type VariantOf<Value, Name extends keyof Value, Kind> = Value extends unknown
  ? Kind extends Value[Name]
    ? Value
    : never
  : never

/** Reads one of several kinds of objects, which differ in the value of one property. */
export function variant<Name extends string, Value extends { readonly [N in Name]: string }>(
  name: Name,
  kinds: { readonly [Kind in Value[Name]]: FieldReaders<Omit<VariantOf<Value, Name, Kind>, Name>> },
): Read<Value> {
  const names = Object.keys(kinds) as Value[Name][]
  const kind = oneOf(...names)
  const readers = new Map(names.map((one) => [one, fields<object>({ [name]: kind, ...kinds[one] })]))
  return (value, path) => {
    const read = readers.get(kind(member(object(value, path), name), below(path, name)))
    return read?.(value, path) as Value
  }
}

/** Reads any JSON value unchanged. */
export const json: Read<unknown> = (value, path) => {
  if (typeof value === 'string') return text(value, path)
  if (typeof value === 'number') return number()(value, path)
  if (Array.isArray(value)) return list(json)(value, path)
  if (typeof value === 'object' && value !== null) return map(json)(value, path)
  if (typeof value === 'boolean' || value === null) return value
  throw new DocumentError('Must be a JSON value', path)
}
