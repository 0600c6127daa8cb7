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

export type ValueReader<Value> = (value: unknown, path: string) => Value

export type FieldReaders<Value> = { readonly [Name in keyof Value]-?: ValueReader<Value[Name]> }

export type UnknownObject = Readonly<Record<string, unknown>>

export const childPath = (path: string, name: string | number) => (path === '' ? String(name) : `${path}.${name}`)

export const object: ValueReader<UnknownObject> = (value, path) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new DocumentError('Must be an object', path)
  return value as UnknownObject
}

/** Returns an own property. */
export const getOwnProperty = (from: UnknownObject, name: string): unknown =>
  Object.hasOwn(from, name) ? from[name] : undefined

/** Characters that databases and files cannot store: NUL and unpaired surrogates. */
const unstorableCharacters = /\0|\p{Surrogate}/u

export const string: ValueReader<string> = (value, path) => {
  if (typeof value !== 'string') throw new DocumentError('Must be a string', path)
  if (unstorableCharacters.test(value)) throw new DocumentError('Must not contain NUL or an unpaired surrogate', path)
  return value
}

export const stringMatching =
  (pattern: RegExp, description: string): ValueReader<string> =>
  (value, path) => {
    const read = string(value, path)
    if (!pattern.test(read)) throw new DocumentError(`Must be ${description}`, path)
    return read
  }

export const boolean: ValueReader<boolean> = (value, path) => {
  if (typeof value !== 'boolean') throw new DocumentError('Must be true or false', path)
  return value
}

export const number =
  (min = -Number.MAX_VALUE, max = Number.MAX_VALUE): ValueReader<number> =>
  (value, path) => {
    if (typeof value !== 'number') throw new DocumentError('Must be a number', path)
    if (!(value >= min && value <= max)) throw new DocumentError(`Must be between ${min} and ${max}`, path)
    // JSON contains -0, but its canonical JSON is the same as that of 0.
    return value === 0 ? 0 : value
  }

export const integer = (min: number, max: number): ValueReader<number> => {
  const inRange = number(min, max)
  return (value, path) => {
    if (!Number.isInteger(value)) throw new DocumentError('Must be a whole number', path)
    return inRange(value, path)
  }
}

export const oneOf = <const Value extends string>(...values: readonly Value[]): ValueReader<Value> => {
  const allowed: ReadonlySet<unknown> = new Set(values)
  return (value, path) => {
    if (!allowed.has(value)) throw new DocumentError(`Must be one of ${values.join(', ')}`, path)
    return value as Value
  }
}

/** Reads an optional value; null is treated as undefined. */
export const optional =
  <Value>(read: ValueReader<Value>): ValueReader<Value | undefined> =>
  (value, path) =>
    value === undefined || value === null ? undefined : read(value, path)

export const withDefault =
  <Value>(read: ValueReader<Value>, fallback: Value): ValueReader<Value> =>
  (value, path) =>
    value === undefined || value === null ? fallback : read(value, path)

export const listOf =
  <Value>(read: ValueReader<Value>): ValueReader<readonly Value[]> =>
  (value, path) => {
    if (!Array.isArray(value)) throw new DocumentError('Must be a list', path)
    return value.map((item, index) => read(item, childPath(path, index)))
  }

/** Reads an object with user-defined keys; `read` gets each key. */
export const mapOf =
  <Value>(read: (value: unknown, path: string, name: string) => Value): ValueReader<Readonly<Record<string, Value>>> =>
  (value, path) =>
    Object.fromEntries(
      Object.entries(object(value, path)).map(([name, one]) => {
        const entryPath = childPath(path, name)
        string(name, entryPath)
        if (name === '__proto__') throw new DocumentError('Must not be `__proto__`', entryPath)
        return [name, read(one, entryPath, name)]
      }),
    )

/** Reads an object with known fields; omits others. */
export function objectWithFields<Value extends object>(readers: FieldReaders<Value>): ValueReader<Value> {
  const entries = Object.entries<ValueReader<unknown>>(readers)
  return (value, path) => {
    const source = object(value, path)
    const result: Record<string, unknown> = {}
    for (const [name, read] of entries) {
      const one = read(getOwnProperty(source, name), childPath(path, name))
      if (one !== undefined) result[name] = one
    }
    return result as Value
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
): ValueReader<Value> {
  const names = Object.keys(kinds) as Value[Name][]
  const kind = oneOf(...names)
  const readers = new Map(names.map((one) => [one, objectWithFields<object>({ [name]: kind, ...kinds[one] })]))
  return (value, path) => {
    const read = readers.get(kind(getOwnProperty(object(value, path), name), childPath(path, name)))
    return read?.(value, path) as Value
  }
}

/** Reads any JSON value unchanged. */
export const json: ValueReader<unknown> = (value, path) => {
  if (typeof value === 'string') return string(value, path)
  if (typeof value === 'number') return number()(value, path)
  if (Array.isArray(value)) return listOf(json)(value, path)
  if (typeof value === 'object' && value !== null) return mapOf(json)(value, path)
  if (typeof value === 'boolean' || value === null) return value
  throw new DocumentError('Must be a JSON value', path)
}
