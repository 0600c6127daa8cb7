import { type Document, LineCounter, isNode, parseDocument } from 'yaml'
import { isNestedTooDeep } from '../content/markdown/yaml-depth.ts'
import { parseBlockYaml } from './block-yaml.ts'
import { findJsonError, findJsonLines, findLines } from './json-position.ts'
import { type JsonObject, type JsonValue, formatPointer, getField, getText, isJsonObject } from './json-value.ts'
import type { SpecProblem } from './problem.ts'
import { operationMethods } from './shapes.ts'
import { YamlConverter } from './yaml-value.ts'

export type SpecFormat = 'json' | 'yaml'

/** A parsed file, with the lines of its values. */
export interface ParsedFile {
  value: JsonValue
  format: SpecFormat
  /** Returns the lines of the values with these keys, or of the closest values around them. */
  findLines: (paths: readonly (readonly string[])[]) => number[]
}

/** Error for a text that cannot be used as a specification. */
export class SpecError extends Error {
  readonly problems: readonly SpecProblem[]

  constructor(problems: readonly SpecProblem[]) {
    super(problems[0]?.message ?? 'The specification is not valid')
    this.name = 'SpecError'
    this.problems = problems
  }
}

/** Maximum depth of lists and objects; functions over specifications are recursive. */
const maxDepth = 200

/**
 * Maximum number of values after the aliases of YAML are expanded; every 16 characters of a text count as another value. The largest
 * public specifications have about two million.
 */
const maxValues = 4_000_000
const charactersPerValue = 16

/** Maximum number of fields that the merge keys of YAML (`<<`) copy. */
const maxMergedFields = 1_000_000

/** Maximum number of reported problems. */
export const maxProblems = 100

/** Parses a JSON or YAML file; throws a `SpecError` with the lines of syntax errors. */
export function parseFile(text: string): ParsedFile {
  const source = text.startsWith('\ufeff') ? text.slice(1) : text
  // YAML also has objects in braces, usually without quotes around their keys.
  const file = /^\s*\{\s*(?:["}]|$)/.test(source) ? parseJson(source) : parseYaml(source)
  checkSize(file.value)
  return file
}

function parseJson(text: string): ParsedFile {
  try {
    return {
      value: JSON.parse(text) as JsonValue,
      format: 'json',
      findLines: (paths) => findJsonLines(text, paths),
    }
  } catch {
    const { offset, isTooDeep } = findJsonError(text, maxDepth) ?? { offset: text.length, isTooDeep: false }
    if (isTooDeep) throw tooDeepError()
    const [line] = findLines(text, [offset]) as [number]
    const found = offset >= text.length ? 'end of the text' : describeCharacter(text, offset)
    throw new SpecError([{ message: `The JSON is not valid: unexpected ${found}`, line }])
  }
}

const describeCharacter = (text: string, offset: number): string => {
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 0)
  return character < ' ' ? 'control character' : `"${character}"`
}

function parseYaml(text: string): ParsedFile {
  const simple = parseBlockYaml(text)
  if (simple === undefined) {
    if (isNestedTooDeep(text)) throw tooDeepError()
    return parseFullYaml(text)
  }
  let parsed: ParsedFile | undefined
  // The lines are needed only for problems.
  return { value: simple, format: 'yaml', findLines: (paths) => (parsed ??= parseFullYaml(text)).findLines(paths) }
}

function parseFullYaml(text: string): ParsedFile {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, logLevel: 'silent' })
  if (document.errors.length > 0) {
    throw new SpecError(
      document.errors.slice(0, maxProblems).map(({ message, pos }) => ({
        message: `The YAML is not valid: ${message.split(/ at line |\n/)[0] ?? ''}`,
        line: lines.linePos(pos[0]).line,
      })),
    )
  }
  const converter = new YamlConverter(lines, { maxCopied: maxMergedFields })
  const value = converter.convert(document)
  if (converter.problems.length > 0) throw new SpecError(converter.problems.slice(0, maxProblems))
  if (converter.hasTooManyFields)
    throw new SpecError([{ message: `Merge keys of the YAML copy more than ${maxMergedFields} fields` }])
  return {
    value,
    format: 'yaml',
    findLines: (paths) => paths.map((keys) => findYamlLine(document, lines, keys)),
  }
}

function findYamlLine(document: Document, lines: LineCounter, keys: readonly string[]): number {
  for (let length = keys.length; length >= 0; length--) {
    const node = document.getIn(keys.slice(0, length), true)
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
  }
  return 1
}

const tooDeepError = (): SpecError =>
  new SpecError([{ message: `Lists and objects are nested more than ${maxDepth} levels deep` }])

const tooLargeError = (): SpecError =>
  new SpecError([
    { message: `The document has more than ${maxValues} values. Aliases of YAML count each time they are used` },
  ])

interface ValueSize {
  /** Number of values, including the value itself. */
  count: number
  /** Number of levels of lists and objects, including the value itself. */
  height: number
}

/** Checks the depth and the number of values. Each shared object is visited once, so that aliases cannot multiply the work. */
function checkSize(root: JsonValue): void {
  const sizes = new Map<object, ValueSize>()
  const open = new Set<object>()
  const measure = (value: unknown, depth: number): ValueSize => {
    if (typeof value === 'string') return { count: 1 + Math.floor(value.length / charactersPerValue), height: 0 }
    if (typeof value !== 'object' || value === null) return { count: 1, height: 0 }
    const known = sizes.get(value)
    if (open.has(value)) throw new SpecError([{ message: 'An alias of the YAML contains itself' }])
    if (depth + (known?.height ?? 0) > maxDepth) throw tooDeepError()
    if (known) return known
    open.add(value)
    const size = { count: 1, height: 1 }
    for (const inner of Object.values(value)) {
      const { count, height } = measure(inner, depth + 1)
      size.count += count
      size.height = Math.max(size.height, height + 1)
      if (size.count > maxValues) throw tooLargeError()
    }
    open.delete(value)
    sizes.set(value, size)
    return size
  }
  measure(root, 0)
}

/** Version of the format of a specification. */
export type SpecVersion = '2.0' | '3.0' | '3.1' | '3.2'

/** Returns the version of a document; throws a `SpecError` if it is not supported. */
export function detectVersion({ value, findLines: findLinesOf }: ParsedFile): SpecVersion {
  if (!isJsonObject(value)) throw new SpecError([{ message: 'The document is not an object', line: 1 }])
  const swagger = getField(value, 'swagger')
  const openapi = getField(value, 'openapi')
  // In YAML, a version without quotes is a number.
  if (swagger !== undefined && (swagger === '2.0' || swagger === 2)) return '2.0'
  if (openapi === 3) return '3.0'
  const version = /^3\.([012])(?:\.\d+)?(?:-|$)/.exec(
    typeof openapi === 'number' ? String(openapi) : getText(value, 'openapi'),
  )
  if (version) return `3.${version[1] as '0' | '1' | '2'}`
  const [field, found] = openapi === undefined ? ['swagger', swagger] : ['openapi', openapi]
  throw new SpecError([
    found === undefined
      ? { message: 'The document has neither the field "openapi" nor the field "swagger"', line: 1 }
      : {
          message: `The version ${JSON.stringify(found).slice(0, 50)} is not supported. Use Swagger 2.0 or OpenAPI 3.0, 3.1 or 3.2`,
          line: findLinesOf([[field]])[0],
          path: `/${field}`,
        },
  ])
}

/** Returns problems of the structure of a document, in the parts that readers of a specification need. */
export function findStructureProblems(file: ParsedFile, version: SpecVersion): SpecProblem[] {
  const found: { keys: readonly string[]; message: string }[] = []
  const report = (keys: readonly string[], message: string): void => {
    if (found.length < maxProblems) found.push({ keys, message })
  }
  checkStructure(file.value as JsonObject, version, report)
  // Finding lines may parse the text again.
  if (found.length === 0) return []
  const lines = file.findLines(found.map(({ keys }) => keys))
  return found.map(({ keys, message }, index) => ({ message, line: lines[index] as number, path: formatPointer(keys) }))
}

type Report = (keys: readonly string[], message: string) => void

function checkStructure(document: JsonObject, version: SpecVersion, report: Report): void {
  /** Checks that a field is an object; returns its fields. */
  const readObject = (parent: JsonObject, keys: readonly string[], isRequired = false): [string, JsonValue][] => {
    const name = keys.at(-1) as string
    const field = getField(parent, name)
    if (field === undefined || field === null) {
      if (isRequired) report(keys.slice(0, -1), `The field "${name}" is missing`)
      return []
    }
    if (isJsonObject(field)) return Object.entries(field)
    report(keys, `"${name}" must be an object`)
    return []
  }
  const info = new Map(readObject(document, ['info'], true))
  const title = info.get('title')
  if (info.size > 0 && (title === undefined || title === null)) report(['info'], 'The field "title" is missing')
  for (const group of ['paths', 'webhooks']) {
    for (const [path, item] of readObject(document, [group], group === 'paths' && version < '3.1')) {
      // A map that is a reference is replaced when the files are bundled.
      if (path.startsWith('x-') || path === '$ref') continue
      const keys = [group, path]
      if (group === 'paths' && !path.startsWith('/')) report(keys, 'A path must begin with "/"')
      if (!isJsonObject(item)) {
        report(keys, 'A path must be an object with operations')
        continue
      }
      for (const method of operationMethods) {
        const operation = getField(item, method)
        if (operation === undefined || operation === null) continue
        if (!isJsonObject(operation)) report([...keys, method], 'An operation must be an object')
        else checkOperation(operation, [...keys, method], report)
      }
    }
  }
  if (version === '2.0') {
    for (const name of ['definitions', 'parameters', 'responses', 'securityDefinitions']) readObject(document, [name])
  } else {
    for (const [name] of readObject(document, ['components']))
      if (!name.startsWith('x-') && name !== '$ref')
        readObject(document['components'] as JsonObject, ['components', name])
  }
}

function checkOperation(operation: JsonObject, keys: readonly string[], report: Report): void {
  const parameters = getField(operation, 'parameters')
  if (parameters !== undefined && parameters !== null && !Array.isArray(parameters))
    report([...keys, 'parameters'], '"parameters" must be a list')
  for (const name of ['responses', 'requestBody', 'callbacks']) {
    const field = getField(operation, name)
    if (field !== undefined && field !== null && !isJsonObject(field))
      report([...keys, name], `"${name}" must be an object`)
  }
}
