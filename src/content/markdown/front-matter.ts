import { LineCounter, type YAMLMap, isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml'
import type { ContentRef, FileRef } from '../document/nodes.ts'
import type { ComputedSource } from '../document/nodes.ts'
import { type References, resolveFileRef } from './references.ts'
import { parseSimpleYaml } from './simple-yaml.ts'
import { isNestedTooDeep } from './yaml-depth.ts'

/** Metadata of a page from its front matter. */
export interface PageMetadata {
  title?: string
  description?: string
  icon?: string
  emoji?: string
  hidden?: boolean
  noIndex?: boolean
  noRobotsIndex?: boolean
  /** Stored under the key `if`. */
  condition?: string
  cover?: { ref: FileRef; refDark?: FileRef; yPos: number; height?: number }
  layout?: LayoutMetadata
  tags?: readonly { tag: string; primary?: boolean }[]
  /** Stored under the key `vars`. */
  variables?: Readonly<Record<string, string | number | boolean>>
  metaLinks?: { canonical?: ContentRef; alternates?: readonly ContentRef[] }
  computed?: ComputedSource
}

export interface LayoutMetadata {
  width?: 'default' | 'wide'
  cover?: boolean
  coverSize?: 'hero' | 'full' | 'background'
  coverMask?: 'none' | 'radial'
  title?: boolean
  description?: boolean
  tableOfContents?: boolean
  outline?: boolean
  pagination?: boolean
  metadata?: boolean
  tags?: boolean
  actions?: boolean
  anchors?: boolean
}

export interface FrontMatterProblem {
  /** Path of the key, like `layout.width`; empty for the whole front matter. */
  path: string
  message: string
}

/** Path and allowed values of each part of a layout, in the order in which exporters write them. */
export const layoutKeys = {
  width: { path: ['width'], values: ['default', 'wide'] },
  cover: { path: ['cover', 'visible'], values: [true, false] },
  coverSize: { path: ['cover', 'size'], values: ['hero', 'full', 'background'] },
  coverMask: { path: ['cover', 'mask'], values: ['none', 'radial'] },
  title: { path: ['title', 'visible'], values: [true, false] },
  description: { path: ['description', 'visible'], values: [true, false] },
  tableOfContents: { path: ['tableOfContents', 'visible'], values: [true, false] },
  outline: { path: ['outline', 'visible'], values: [true, false] },
  pagination: { path: ['pagination', 'visible'], values: [true, false] },
  metadata: { path: ['metadata', 'visible'], values: [true, false] },
  tags: { path: ['tags', 'visible'], values: [true, false] },
  actions: { path: ['actions', 'visible'], values: [true, false] },
  anchors: { path: ['anchors', 'visible'], values: [true, false] },
} as const satisfies {
  [Part in keyof LayoutMetadata]-?: { path: readonly string[]; values: readonly LayoutMetadata[Part][] }
}

/** Maximum length of front matter; longer front matter is not parsed, because the parser is slow. */
const maxFrontMatterLength = 50_000

const maxVariableLength = 256

/** Parses front matter. Without `root` it is empty, or invalid for the reason in `problem`. */
export function parseFrontMatter(source: string): { root?: YAMLMap; problem?: string } {
  if (source.length > maxFrontMatterLength) return { problem: 'The front matter is too long' }
  if (isNestedTooDeep(source)) return { problem: 'The front matter is nested too deeply' }
  const lines = new LineCounter()
  const { contents, errors } = parseDocument(source, {
    lineCounter: lines,
    prettyErrors: false,
    // The check compares all keys with each other; the relevant keys are checked for duplicates when they are read.
    uniqueKeys: false,
  })
  const [error] = errors
  if (error) return { problem: `Line ${lines.linePos(error.pos[0]).line}: ${error.message}` }
  if (contents === null || (isScalar(contents) && contents.value === null)) return {}
  return isMap(contents) ? { root: contents } : { problem: 'The front matter must be a mapping of keys to values' }
}

/** Reads the metadata of a page from its front matter. Invalid values are reported as problems and omitted. */
export function readFrontMatter(
  yaml: string,
  references: References,
): { metadata: PageMetadata; problems: FrontMatterProblem[] } {
  const simple = yaml.length > maxFrontMatterLength ? undefined : parseSimpleYaml(yaml)
  const { root, problem } = simple ? { root: simple } : parseFrontMatter(yaml)
  if (!root) return { metadata: {}, problems: problem === undefined ? [] : [{ path: '', message: problem }] }
  const reader = new FrontMatterReader(references)
  return { metadata: reader.readMetadata(root), problems: reader.problems }
}

type Scalar = string | number | boolean

/** Reads only the known keys of the tree. Aliases are not followed, so they cannot expand. */
class FrontMatterReader {
  readonly problems: FrontMatterProblem[] = []
  readonly #references: References

  constructor(references: References) {
    this.#references = references
  }

  readMetadata(root: YAMLMap): PageMetadata {
    const keys = this.#entries(root, '')
    const text = (key: string) => this.#text(keys.get(key), key)
    const flag = (key: string) => this.#oneOf(keys.get(key), key, [true, false])
    return omitUndefined({
      title: text('title'),
      description: text('description'),
      icon: text('icon'),
      emoji: text('emoji'),
      // False is the default.
      hidden: flag('hidden') || undefined,
      noIndex: flag('noIndex') || undefined,
      noRobotsIndex: flag('noRobotsIndex') || undefined,
      condition: text('if'),
      cover: this.#cover(keys),
      layout: this.#layout(keys.get('layout')),
      tags: this.#list(keys.get('tags'), 'tags', (node, path) => this.#tag(node, path)),
      variables: this.#variables(keys.get('vars')),
      metaLinks: this.#metaLinks(keys.get('metaLinks')),
      computed: this.#computed(keys.get('computed')),
    })
  }

  #cover(keys: ReadonlyMap<string, unknown>): PageMetadata['cover'] {
    const node = keys.get('cover')
    const themes = isMap(node) ? this.#entries(node, 'cover') : undefined
    const light = themes ? this.#text(themes.get('light'), 'cover.light') : this.#text(node, 'cover')
    const dark = themes && this.#text(themes.get('dark'), 'cover.dark')
    const yPos = this.#number(keys.get('coverY'), 'coverY', -Infinity, Infinity)
    const height = this.#number(keys.get('coverHeight'), 'coverHeight', 10, 700)
    const shown = light ?? dark
    if (shown === undefined) return undefined
    return omitUndefined({
      ref: resolveFileRef(this.#references, shown),
      refDark: dark === undefined || light === undefined ? undefined : resolveFileRef(this.#references, dark),
      yPos: yPos ?? 0,
      height,
    })
  }

  #layout(node: unknown): LayoutMetadata | undefined {
    const parts = this.#map(node, 'layout')
    if (!parts) return undefined
    const inner = new Map<string, ReadonlyMap<string, unknown> | undefined>()
    const found = Object.entries(layoutKeys).flatMap(([part, { path, values }]) => {
      const [outer, leaf] = path
      const fullPath = ['layout', ...path].join('.')
      if (leaf === undefined) return [[part, this.#oneOf<Scalar>(parts.get(outer), fullPath, values)]]
      if (!inner.has(outer)) inner.set(outer, this.#map(parts.get(outer), `layout.${outer}`))
      return [[part, this.#oneOf<Scalar>(inner.get(outer)?.get(leaf), fullPath, values)]]
    })
    const layout: LayoutMetadata = omitUndefined(Object.fromEntries(found))
    return Object.keys(layout).length > 0 ? layout : undefined
  }

  #tag(node: unknown, path: string): { tag: string; primary?: boolean } | undefined {
    if (!isMap(node)) {
      const tag = this.#text(node, path)
      return tag === undefined ? undefined : { tag }
    }
    const keys = this.#entries(node, path)
    const tag = this.#text(keys.get('tag'), `${path}.tag`)
    const primary = this.#oneOf(keys.get('primary'), `${path}.primary`, [true, false])
    return tag === undefined ? undefined : { tag, ...(primary && { primary }) }
  }

  #variables(node: unknown): PageMetadata['variables'] {
    const keys = this.#map(node, 'vars')
    if (!keys) return undefined
    const variables: Record<string, Scalar> = {}
    for (const [name, value] of keys) {
      const path = `vars.${name}`
      const scalar = isScalar(value) ? value.value : undefined
      if (!/^[A-Za-z]\w*$/.test(name))
        this.#problem(path, 'A name must begin with a letter and contain only letters, digits and _')
      else if (typeof scalar === 'string' && scalar.length > maxVariableLength)
        this.#problem(path, 'The string is too long')
      else if (isScalarValue(scalar)) variables[name] = scalar
      else this.#problem(path, 'Expected a string, a number, true or false')
    }
    return Object.keys(variables).length > 0 ? variables : undefined
  }

  #metaLinks(node: unknown): PageMetadata['metaLinks'] {
    const keys = this.#map(node, 'metaLinks')
    if (!keys) return undefined
    const canonical = this.#text(keys.get('canonical'), 'metaLinks.canonical')
    const alternates = this.#list(keys.get('alternates'), 'metaLinks.alternates', (one, path) => this.#text(one, path))
    const links = omitUndefined({
      canonical: canonical === undefined ? undefined : this.#references.resolve(canonical),
      alternates: alternates?.map((one) => this.#references.resolve(one)),
    })
    return Object.keys(links).length > 0 ? links : undefined
  }

  #computed(node: unknown): ComputedSource | undefined {
    const keys = this.#map(node, 'computed')
    if (!keys) return undefined
    const type = this.#text(keys.get('type'), 'computed.type')
    const props = this.#json(keys.get('props'), 'computed.props') ?? {}
    const dependencies = this.#json(keys.get('dependencies'), 'computed.dependencies') ?? {}
    if (type === undefined) return this.#problem('computed.type', 'Expected a string')
    if (!isRecord(props)) return this.#problem('computed.props', 'Expected a mapping of keys to values')
    if (!Object.values(isRecord(dependencies) ? dependencies : { '': dependencies }).every(isDependency))
      return this.#problem('computed.dependencies', 'Expected references with a kind')
    return { type, props, dependencies: dependencies as ComputedSource['dependencies'] }
  }

  /** Returns a value of any type. */
  #json(node: unknown, path: string): unknown {
    if (isNullNode(node)) return undefined
    if (isScalar(node)) return isScalarValue(node.value) ? node.value : this.#problem(path, 'Expected a value')
    if (isSeq(node)) return node.items.map((item, index) => this.#json(item, `${path}.${index}`) ?? null)
    if (!isMap(node)) return this.#problem(path, 'Aliases are not supported')
    const entries = Array.from(this.#entries(node, path), ([key, value]) => [key, this.#json(value, `${path}.${key}`)])
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  }

  /** Returns a string; numbers and booleans are returned as written: `title: 1.10`. */
  #text(node: unknown, path: string): string | undefined {
    if (isNullNode(node)) return undefined
    if (isScalar(node) && isScalarValue(node.value))
      return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value))
    return this.#problem(path, isAlias(node) ? 'Aliases are not supported' : 'Expected a string')
  }

  #number(node: unknown, path: string, low: number, high: number): number | undefined {
    if (isNullNode(node)) return undefined
    const value = isScalar(node) ? node.value : undefined
    if (typeof value === 'number' && Number.isFinite(value) && value >= low && value <= high) return value
    return this.#problem(path, low === -Infinity ? 'Expected a number' : `Expected a number between ${low} and ${high}`)
  }

  #oneOf<Value extends Scalar>(node: unknown, path: string, values: readonly Value[]): Value | undefined {
    if (isNullNode(node)) return undefined
    const found = isScalar(node) ? values.find((value) => value === node.value) : undefined
    return found ?? this.#problem(path, `Expected one of ${values.join(', ')}`)
  }

  #list<Item>(
    node: unknown,
    path: string,
    read: (node: unknown, path: string) => Item | undefined,
  ): readonly Item[] | undefined {
    if (isNullNode(node)) return undefined
    if (!isSeq(node)) return this.#problem(path, 'Expected a list')
    const items = node.items.flatMap((one, index) => read(one, `${path}.${index}`) ?? [])
    return items.length > 0 ? items : undefined
  }

  #map(node: unknown, path: string): ReadonlyMap<string, unknown> | undefined {
    if (isNullNode(node)) return undefined
    return isMap(node) ? this.#entries(node, path) : this.#problem(path, 'Expected a mapping of keys to values')
  }

  /** Returns the entries of a mapping; of duplicate keys the first one wins. */
  #entries(map: YAMLMap, path: string): ReadonlyMap<string, unknown> {
    const entries = new Map<string, unknown>()
    for (const { key, value } of map.items) {
      const name = keyName(key)
      if (name === undefined) continue
      if (entries.has(name)) this.#problem([path, name].filter(Boolean).join('.'), 'Duplicate key')
      else entries.set(name, value)
    }
    return entries
  }

  #problem(path: string, message: string): undefined {
    this.problems.push({ path, message })
  }
}

export function keyName(key: unknown): string | undefined {
  return isScalar(key) && typeof key.value === 'string' ? key.value : undefined
}

const isNullNode = (node: unknown) => node === undefined || node === null || (isScalar(node) && node.value === null)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isDependency = (value: unknown): boolean =>
  isRecord(value) && isRecord(value['ref']) && typeof value['ref']['kind'] === 'string'

const isScalarValue = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))

type WithoutUndefined<Values> = {
  [Key in keyof Values as undefined extends Values[Key] ? never : Key]: Values[Key]
} & {
  [Key in keyof Values as undefined extends Values[Key] ? Key : never]?: Exclude<Values[Key], undefined>
}

/** Removes undefined values. */
function omitUndefined<Values extends object>(values: Values): WithoutUndefined<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as WithoutUndefined<Values>
}
