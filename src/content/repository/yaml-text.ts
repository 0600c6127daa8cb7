import { LineCounter, type ParsedNode, type Scalar as YamlScalar, isAlias, isScalar, parse, parseDocument } from 'yaml'
import { hasTooManyTokens, isNestedTooDeep } from '../markdown/yaml-depth.ts'
import type { VariableValue } from '../revision/objects.ts'
import type { RepositoryProblem } from './source.ts'

/** Maximum length of a YAML file: files that are written by hand are shorter, and the parser is slow. */
const maxLength = 1_000_000

/** A parsed YAML file of a repository with its problems. Aliases are not resolved, which prevents exponential expansion. */
export class YamlFile {
  readonly root: ParsedNode | null
  /** Whether the file was parsed without errors. */
  readonly isValid: boolean
  readonly #file: string
  readonly #lines = new LineCounter()
  readonly #problems: RepositoryProblem[] = []

  constructor(source: string, file: string) {
    this.#file = file
    const refusalReason = findRefusalReason(source)
    if (refusalReason !== undefined) {
      this.root = null
      this.isValid = false
      this.#problems.push({ file, message: refusalReason })
      return
    }
    const { contents, errors } = parseDocument(source, {
      lineCounter: this.#lines,
      prettyErrors: false,
      // The built-in check compares all keys with each other; `entries` detects duplicates instead.
      uniqueKeys: false,
    })
    const [error] = errors
    this.isValid = error === undefined
    this.root = error || (isScalar(contents) && contents.value === null) ? null : contents
    if (error) this.#problems.push({ file, line: this.#lines.linePos(error.pos[0]).line, message: error.message })
  }

  /** Returns the problems, sorted by line. */
  get problems(): RepositoryProblem[] {
    return this.#problems.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))
  }

  lineOf(node: unknown): number {
    const range = (node as { range?: readonly number[] | null } | null | undefined)?.range
    return this.#lines.linePos(range?.[0] ?? 0).line || 1
  }

  addProblem(node: unknown, message: string): undefined {
    this.#problems.push({ file: this.#file, line: this.lineOf(node), message })
  }

  /** Returns the text of a key or value; numbers and other scalars are returned as written. */
  readText(node: unknown, name: string): string | undefined {
    const text = scalarText(node)
    if (text !== undefined || isNullNode(node)) return text
    return this.addProblem(node, isAlias(node) ? 'Aliases are not supported' : `${name} must be a string`)
  }

  /** Returns the keys and values of a map by key; of duplicate keys, the first is used. */
  readEntries(map: {
    items: readonly { key: unknown; value: unknown }[]
  }): Map<string, { key: unknown; value: unknown }> {
    const entries = new Map<string, { key: unknown; value: unknown }>()
    for (const { key, value } of map.items) {
      const name = scalarText(key)
      if (name === undefined) this.addProblem(key, 'A key must be a string')
      else if (entries.has(name))
        this.addProblem(key, `Duplicate key ${truncateForMessage(name)}; only the first one is used`)
      else entries.set(name, { key, value })
    }
    return entries
  }
}

/** Returns the reason why a file is not parsed. */
function findRefusalReason(source: string): string | undefined {
  if (source.length > maxLength) return 'The file is too long'
  if (hasTooManyTokens(source)) return 'The file has too many entries'
  return isNestedTooDeep(source) ? 'The file is nested too deeply' : undefined
}

export const truncateForMessage = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text)

export const isNullNode = (node: unknown) =>
  node === undefined || node === null || (isScalar(node) && node.value === null)

export function scalarText(node: unknown): string | undefined {
  if (!isScalar(node) || node.value === null) return undefined
  return typeof node.value === 'string' ? node.value : scalarSource(node)
}

/** Returns a scalar as written. */
export const scalarSource = (node: YamlScalar) => node.source ?? String(node.value)

/** Prints a value on one line, if possible with the same quotes as another scalar. */
export function printScalar(value: VariableValue, quoteStyle = ''): string {
  if (typeof value !== 'string') return String(value)
  // oxlint-disable-next-line no-control-regex
  const isPrintable = !/[\u0000-\u001f\u007f-\u00a0\u2028\u2029\ufeff]/.test(value)
  if (!isPrintable || quoteStyle.startsWith('"')) return toDoubleQuoted(value)
  const singleQuoted = `'${value.replaceAll("'", "''")}'`
  if (quoteStyle.startsWith("'")) return singleQuoted
  // Text that is safe everywhere, including in flow collections and as a key.
  const isSafe = /^[\w./][\w./ +%()=;~^$?-]*(?::[\w/][\w./ +%()=;~^$?-]*)*(?<! )$/.test(value)
  return isSafe && parse(value) === value ? value : singleQuoted
}

function toDoubleQuoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u00a0\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
