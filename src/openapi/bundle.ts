import {
  type JsonObject,
  type JsonValue,
  formatPointer,
  getField,
  getObject,
  isJsonObject,
  parsePointer,
  resolvePointer,
} from './json-value.ts'
import { type ParsedFile, SpecError, type SpecVersion, maxProblems, parseFile } from './parse.ts'
import type { SpecProblem } from './problem.ts'
import { type Kind, shapes } from './shapes.ts'
import { replaceObjects } from './walk.ts'

/** Result of loading a file: its text and its address after redirects, or why it could not be loaded. */
export type LoadedFile = { url: string; text: string } | { failure: LoadFailure; message: string }
export type LoadFailure = 'timeout' | 'error'

/** Loads files of a specification; returns one result for each address. */
export type LoadFiles = (urls: readonly string[]) => Promise<readonly LoadedFile[]>

/** Error for a file of a specification that could not be loaded. */
export class SpecLoadError extends Error {
  readonly failure: LoadFailure
  readonly problem: SpecProblem

  constructor(failure: LoadFailure, problem: SpecProblem) {
    super(problem.message)
    this.name = 'SpecLoadError'
    this.failure = failure
    this.problem = problem
  }
}

export interface BundledSpec {
  /** Document whose references all begin with `#`. */
  document: JsonObject
  /** References to missing values of the document; they do not prevent its use. */
  problems: SpecProblem[]
  /** Number of files. */
  files: number
}

/** Maximum number of files of a specification, and the maximum number of references from one file to the next. */
export const maxFiles = 200
const maxFileDepth = 20

/** Maximum number of values in other files that a specification refers to. */
const maxTargets = 20_000

/** Maximum number of characters of all files. */
const maxTotalLength = 32 * 1024 ** 2

/** Name of the section of `components` for each kind of object that can be referenced. */
const sections = {
  schema: 'schemas',
  response: 'responses',
  parameter: 'parameters',
  example: 'examples',
  requestBody: 'requestBodies',
  header: 'headers',
  securityScheme: 'securitySchemes',
  link: 'links',
  callback: 'callbacks',
  pathItem: 'pathItems',
  mediaType: 'mediaTypes',
} as const satisfies Partial<Record<Kind, string>>
type Section = (typeof sections)[keyof typeof sections]

/** The same for Swagger 2.0, which has three sections. */
const swaggerSections: Partial<Record<Section, string>> = {
  schemas: 'definitions',
  responses: 'responses',
  parameters: 'parameters',
}

/** A file with its address; the address of an uploaded text is empty. */
interface SpecFile extends ParsedFile {
  url: string
  depth: number
}

/** A value in another file that becomes a part of the document. */
interface Target {
  url: string
  pointer: string
  kind: Kind
  section: Section
  name: string
  /** Position of the first reference to it. */
  from: { file: SpecFile; path: readonly string[] }
}

/** Makes one document of a specification with several files: referenced values of other files are added to its components. */
export async function bundleSpec(
  root: ParsedFile,
  version: SpecVersion,
  { url, load }: { url?: string | undefined; load: LoadFiles },
): Promise<BundledSpec> {
  const bundler = new Bundler({ ...root, url: url === undefined ? '' : withoutFragment(url), depth: 0 }, version, load)
  return bundler.bundle()
}

class Bundler {
  readonly #root: SpecFile
  readonly #version: SpecVersion
  readonly #load: LoadFiles
  readonly #files = new Map<string, SpecFile>()
  readonly #targets = new Map<string, Target>()
  readonly #added = new Map<Section, Map<string, JsonValue>>()
  /** References to values of the document itself. */
  readonly #internal: { pointer: string; from: Target['from'] }[] = []
  /** Next number to append to a name that is already used. */
  readonly #suffixes = new Map<string, number>()
  #pending: Target[] = []
  /** Whether path items of other files are referenced elsewhere than in `paths` and `webhooks`, where they are inserted. */
  #hasNestedPathItems = false
  #totalLength = 0

  constructor(root: SpecFile, version: SpecVersion, load: LoadFiles) {
    this.#root = root
    this.#version = version
    this.#load = load
    this.#files.set(root.url, root)
  }

  async bundle(): Promise<BundledSpec> {
    const document = await this.#expandMaps(this.#root.value as JsonObject)
    this.#registerComponents(document)
    const bundled = this.#replaceReferences(document, 'document', this.#root, []) as JsonObject
    while (this.#pending.length > 0) {
      const targets = this.#pending
      this.#pending = []
      await this.#loadFiles(targets)
      for (const target of targets) this.#addTarget(target)
    }
    const merged = this.#insertPathItems(this.#mergeComponents(bundled))
    return { document: merged, problems: this.#findMissing(merged), files: this.#files.size }
  }

  /** Replaces maps of the document that are references, which tools accept, by references to each of their entries. */
  async #expandMaps(document: JsonObject): Promise<JsonObject> {
    const expand = async (fields: JsonObject, names: readonly string[], path: readonly string[]) => {
      const expanded = { ...fields }
      for (const name of names) {
        const map = getField(fields, name)
        const reference = isJsonObject(map) ? getField(map, '$ref') : undefined
        if (typeof reference !== 'string' || reference.startsWith('#')) continue
        const from = { file: this.#root, path: [...path, name] }
        const { url, pointer } = this.#resolve(reference, from)
        const file = await this.#loadFile({ url, from })
        const entries = resolvePointer(file.value, pointer)
        if (!isJsonObject(entries)) throw missingError(reference, from)
        expanded[name] = Object.fromEntries(
          Object.keys(entries).map((key) => [
            key,
            { $ref: `${url}#${encodePointer([...parsePointer(pointer), key])}` },
          ]),
        )
      }
      return expanded
    }
    const top = await expand(document, Object.keys(shapes.document), [])
    const components = getField(top, 'components')
    if (!isJsonObject(components)) return top
    return { ...top, components: await expand(components, Object.keys(shapes.components), ['components']) }
  }

  /** Reserves the name of each component that only refers to another file for the value in that file. */
  #registerComponents(document: JsonObject): void {
    for (const [kind, section] of Object.entries(sections) as [Kind, Section][]) {
      const path = this.#sectionPath(section)
      if (!path) continue
      const entries = path.reduce<JsonObject>((object, key) => getObject(object, key), document)
      for (const [name, entry] of Object.entries(entries)) {
        const reference = isJsonObject(entry) && Object.keys(entry).length === 1 ? getField(entry, '$ref') : undefined
        if (typeof reference !== 'string' || reference.startsWith('#')) continue
        const from = { file: this.#root, path: [...path, name] }
        const { url, pointer } = this.#resolve(reference, from)
        if (url !== this.#root.url) this.#addPending({ url, pointer, kind, section, name, from })
      }
    }
  }

  #replaceReferences(value: JsonValue, kind: Kind, file: SpecFile, path: readonly string[]): JsonValue {
    const replace = (object: JsonObject, of: Kind, at: readonly string[]): JsonObject => {
      const from = { file, path: at }
      const reference = getField(object, '$ref')
      const replaced =
        typeof reference === 'string' ? { ...object, $ref: this.#toInternal(reference, of, from) } : object
      return of === 'schema' ? this.#replaceMapping(replaced, from) : replaced
    }
    return replaceObjects(value, kind, replace, path)
  }

  /** Replaces the addresses in the mapping of a discriminator. */
  #replaceMapping(schema: JsonObject, from: Target['from']): JsonObject {
    const discriminator = getField(schema, 'discriminator')
    const mapping = isJsonObject(discriminator) ? getField(discriminator, 'mapping') : undefined
    if (!isJsonObject(discriminator) || !isJsonObject(mapping)) return schema
    const replaced = Object.entries(mapping).map(([value, target]) => [
      value,
      typeof target === 'string' && /[#/]|\.(?:json|ya?ml)$/.test(target) && this.#hasAddress(target, from.file)
        ? this.#toInternal(target, 'schema', from)
        : target,
    ])
    return { ...schema, discriminator: { ...discriminator, mapping: Object.fromEntries(replaced) as JsonObject } }
  }

  /**
   * Whether the address in a mapping is known. Documents that other tools bundled contain relative addresses of the original files, and
   * can be used without them.
   */
  #hasAddress(target: string, { url }: SpecFile): boolean {
    return target.startsWith('#') || url !== '' || parseUrl(target) !== undefined
  }

  /** Returns the reference to a value in the bundled document. */
  #toInternal(reference: string, kind: Kind, from: Target['from']): string {
    const isRoot = from.file === this.#root
    if (isRoot && reference.startsWith('#')) {
      this.#internal.push({ pointer: reference.slice(1), from })
      return reference
    }
    const { url, pointer } = this.#resolve(reference, from)
    const isInRoot = url === this.#root.url || this.#refersToRoot(url, pointer, from.file)
    if (isInRoot) {
      this.#internal.push({ pointer, from })
      return `#${pointer}`
    }
    if (kind === 'pathItem' && !(isRoot && from.path.length === 2)) this.#hasNestedPathItems = true
    const known = this.#targets.get(toKey(url, pointer))
    if (known) return this.#toReference(known)
    const section = Object.hasOwn(sections, kind) ? sections[kind as keyof typeof sections] : undefined
    if (!section || (kind !== 'pathItem' && !this.#sectionPath(section)))
      throw new SpecError([describeAt(from, `A reference is not allowed here: ${shorten(reference)}`)])
    const name = this.#createName(section, url, pointer)
    const target = { url, pointer, kind, section, name, from }
    this.#addPending(target)
    return this.#toReference(target)
  }

  /** Whether a reference without an address is valid only in the main document: files that were split by hand may contain such references. */
  #refersToRoot(url: string, pointer: string, file: SpecFile): boolean {
    if (url !== file.url || !pointer.startsWith('/')) return false
    return resolvePointer(file.value, pointer) === undefined && resolvePointer(this.#root.value, pointer) !== undefined
  }

  #resolve(reference: string, from: Target['from']): { url: string; pointer: string } {
    const hash = reference.indexOf('#')
    const address = hash === -1 ? reference : reference.slice(0, hash)
    const pointer = hash === -1 ? '' : reference.slice(hash + 1)
    const base = from.file.url
    if (address === '') return { url: base, pointer }
    const url = base === '' ? parseUrl(address) : parseUrl(address, base)
    if (url !== undefined) return { url: withoutFragment(url), pointer }
    throw new SpecError([
      describeAt(
        from,
        base === ''
          ? `The reference ${shorten(reference)} is relative, but a specification that is sent as text has no address. Use a URL as the source, or combine the files`
          : `The reference ${shorten(reference)} is not a valid address`,
      ),
    ])
  }

  #addPending(target: Target): void {
    const key = toKey(target.url, target.pointer)
    if (this.#targets.has(key)) return
    if (this.#targets.size >= maxTargets)
      throw new SpecError([{ message: `The specification refers to more than ${maxTargets} values in other files` }])
    this.#targets.set(key, target)
    const section = this.#added.get(target.section) ?? new Map<string, JsonValue>()
    this.#added.set(target.section, section.set(target.name, null))
    this.#pending.push(target)
  }

  /** Returns an unused name in a section, after the last key of the pointer or the name of the file. */
  #createName(section: Section, url: string, pointer: string): string {
    const last = parsePointer(pointer).at(-1) ?? decodeName(url).replace(/\.[^.]*$/, '')
    const base = last.replace(/[^\w.-]+/g, '_').slice(0, 100) || section
    const path = this.#sectionPath(section)
    const existing = path
      ? path.reduce<JsonObject>((object, key) => getObject(object, key), this.#root.value as JsonObject)
      : {}
    const added = this.#added.get(section)
    const isUsed = (name: string) => Object.hasOwn(existing, name) || added?.has(name) === true
    if (!isUsed(base)) return base
    const next = this.#suffixes.get(`${section}/${base}`) ?? 2
    for (let suffix = next; ; suffix++) {
      if (isUsed(`${base}_${suffix}`)) continue
      this.#suffixes.set(`${section}/${base}`, suffix + 1)
      return `${base}_${suffix}`
    }
  }

  async #loadFiles(targets: readonly Target[]): Promise<void> {
    const missing = new Map<string, Target['from']>()
    for (const { url, from } of targets) if (!this.#files.has(url) && !missing.has(url)) missing.set(url, from)
    if (missing.size === 0) return
    if (this.#files.size + missing.size > maxFiles)
      throw new SpecError([{ message: `The specification consists of more than ${maxFiles} files` }])
    for (const from of missing.values()) {
      if (from.file.depth >= maxFileDepth)
        throw new SpecError([describeAt(from, `Files refer to each other more than ${maxFileDepth} levels deep`)])
    }
    const loaded = await this.#load([...missing.keys()])
    for (const [index, [url, from]] of [...missing].entries()) this.#addFile(url, from, loaded[index] as LoadedFile)
  }

  async #loadFile({ url, from }: Pick<Target, 'url' | 'from'>): Promise<SpecFile> {
    await this.#loadFiles([{ url, from } as Target])
    return this.#files.get(url) as SpecFile
  }

  #addFile(url: string, from: Target['from'], loaded: LoadedFile): void {
    if ('failure' in loaded) throw new SpecLoadError(loaded.failure, describeAt(from, `${url}: ${loaded.message}`))
    this.#totalLength += loaded.text.length
    if (this.#totalLength > maxTotalLength)
      throw new SpecError([
        { message: `The files of the specification have more than ${maxTotalLength / 1024 ** 2} MB` },
      ])
    try {
      // The address after redirects is the base of relative references in the file.
      this.#files.set(url, { ...parseFile(loaded.text), url: withoutFragment(loaded.url), depth: from.file.depth + 1 })
    } catch (error) {
      if (!(error instanceof SpecError)) throw error
      throw new SpecError(error.problems.map((problem) => ({ ...problem, file: url })))
    }
  }

  #addTarget({ url, pointer, kind, section, name, from }: Target): void {
    const file = this.#files.get(url) as SpecFile
    const value = resolvePointer(file.value, pointer)
    if (value === undefined) throw missingError(`${url}#${pointer}`, from)
    const replaced = this.#replaceReferences(value, kind, file, parsePointer(pointer))
    this.#added.get(section)?.set(name, replaced)
  }

  /** Returns the keys of a section in the document; undefined if the version of the document has no such section. */
  #sectionPath(section: Section): readonly string[] | undefined {
    if (this.#version !== '2.0') return ['components', section]
    const name = swaggerSections[section]
    return name === undefined ? undefined : [name]
  }

  #toReference({ section, name }: Pick<Target, 'section' | 'name'>): string {
    const path = this.#sectionPath(section) ?? ['components', section]
    return `#${formatPointer([...path, name])}`
  }

  #mergeComponents(document: JsonObject): JsonObject {
    const merged = { ...document }
    for (const [section, values] of this.#added) {
      const path = this.#sectionPath(section)
      const added = Object.fromEntries(values)
      if (!path || (section === 'pathItems' && !this.#hasNestedPathItems)) continue
      if (path.length === 1) merged[path[0] as string] = { ...getObject(merged, path[0] as string), ...added }
      else {
        const components = getObject(merged, 'components')
        merged['components'] = { ...components, [section]: { ...getObject(components, section), ...added } }
      }
    }
    return merged
  }

  /** Inserts path items of other files where they are referenced, because few readers accept references there. */
  #insertPathItems(document: JsonObject): JsonObject {
    const items = this.#added.get('pathItems')
    if (!items) return document
    const prefix = '#/components/pathItems/'
    const insert = (value: JsonValue): JsonValue => {
      const reference = isJsonObject(value) ? getField(value, '$ref') : undefined
      if (!isJsonObject(value) || typeof reference !== 'string' || !reference.startsWith(prefix)) return value
      const item = items.get(parsePointer(reference.slice(1)).at(-1) as string)
      const { $ref: _, ...siblings } = value
      return isJsonObject(item) ? { ...item, ...siblings } : value
    }
    const inserted = { ...document }
    for (const name of ['paths', 'webhooks']) {
      const paths = getField(document, name)
      if (isJsonObject(paths))
        inserted[name] = Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, insert(item)]))
    }
    return inserted
  }

  #findMissing(document: JsonObject): SpecProblem[] {
    const missing: { from: Target['from']; message: string }[] = []
    const found = new Map<string, boolean>()
    for (const { pointer, from } of this.#internal) {
      // Names of anchors are not resolved.
      if (pointer !== '' && !pointer.startsWith('/')) continue
      let exists = found.get(pointer)
      if (exists === undefined) found.set(pointer, (exists = resolvePointer(document, pointer) !== undefined))
      if (exists) continue
      missing.push({ from, message: `The reference ${shorten(`#${pointer}`)} refers to a missing value` })
      if (missing.length >= maxProblems) break
    }
    return describeAll(missing)
  }
}

const toKey = (url: string, pointer: string): string => `${url}#${pointer}`

/** Returns the absolute form of an address; undefined if it is not valid. */
function parseUrl(address: string, base?: string): string | undefined {
  return URL.canParse(address, base) ? new URL(address, base).href : undefined
}

function withoutFragment(url: string): string {
  const hash = url.indexOf('#')
  return hash === -1 ? url : url.slice(0, hash)
}

/** Returns the file name of an address. */
function decodeName(url: string): string {
  const name = new URL(url).pathname.split('/').at(-1) ?? ''
  return name.replace(/%[\da-f]{2}/gi, '_')
}

const encodePointer = (keys: readonly string[]): string => formatPointer(keys.map((key) => encodeURIComponent(key)))

const shorten = (text: string): string => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)

/** Returns a problem with the position of a reference. */
const describeAt = (from: Target['from'], message: string): SpecProblem =>
  describeAll([{ from, message }])[0] as SpecProblem

/** Returns problems with the positions of references; each file is read once for its lines. */
function describeAll(found: readonly { from: Target['from']; message: string }[]): SpecProblem[] {
  const lines = new Map<readonly string[], number>()
  for (const file of new Set(found.map(({ from }) => from.file))) {
    const paths = found.flatMap(({ from }) => (from.file === file ? [from.path] : []))
    for (const [index, line] of file.findLines(paths).entries()) lines.set(paths[index] as readonly string[], line)
  }
  return found.map(({ from: { file, path }, message }) => ({
    message,
    line: lines.get(path) as number,
    path: formatPointer(path),
    ...(file.depth > 0 && { file: file.url }),
  }))
}

const missingError = (reference: string, from: Target['from']): SpecError =>
  new SpecError([describeAt(from, `The reference ${shorten(reference)} refers to a missing value`)])
