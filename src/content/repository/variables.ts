import { isAlias, isMap, isScalar } from 'yaml'
import type { VariableValue, Variables } from '../revision/objects.ts'
import type { RepositoryProblem } from './source.ts'
import { createMapEdits, applyEdits } from './yaml-edits.ts'
import { spliceYaml } from './yaml-print.ts'
import { YamlFile, printScalar, truncateForMessage, scalarSource } from './yaml-text.ts'

const maxNameLength = 100
const maxTextLength = 256

/** Parses the variables of a space. Invalid variables are reported as problems and omitted. */
export function parseVariables(source: string, file: string): { variables: Variables; problems: RepositoryProblem[] } {
  const yaml = new YamlFile(source, file)
  const variables: Record<string, VariableValue> = {}
  if (isMap(yaml.root)) {
    for (const [name, { key, value }] of yaml.readEntries(yaml.root)) {
      const scalar = parseVariableValue(value)
      if (!/^[A-Za-z]\w*$/.test(name) || name.length > maxNameLength)
        yaml.addProblem(
          key,
          `${truncateForMessage(name)} is not a valid name: it must begin with a letter and contain only letters, digits and _`,
        )
      else if (scalar === undefined)
        yaml.addProblem(
          key,
          isAlias(value) ? 'Aliases are not supported' : `${name} must be a string, a number, true or false`,
        )
      else if (typeof scalar === 'string' && scalar.length > maxTextLength)
        yaml.addProblem(key, `${name} is longer than ${maxTextLength} characters`)
      else variables[name] = scalar
    }
  } else if (yaml.root) yaml.addProblem(yaml.root, 'The variables must be a mapping of names to values')
  return { variables, problems: yaml.problems }
}

/** Returns a value; a number that is too large, not finite or has leading zeros is returned as the string that is written. */
function parseVariableValue(node: unknown): VariableValue | undefined {
  if (!isScalar(node) || node.value === null) return undefined
  const { value } = node
  if (typeof value === 'string' || typeof value === 'boolean') return value
  const written = scalarSource(node)
  if (typeof value !== 'number' || !Number.isFinite(value) || /^[-+]?0\d/.test(written)) return written
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER || String(value) === written ? value : written
}

/** Prints variables over the file that they were read from: only changed, added and removed keys differ. */
export function spliceVariables(source: string | undefined, variables: Variables): string {
  const fullText = Object.entries(variables)
    .map(([name, value]) => `${printScalar(name)}: ${printScalar(value)}\n`)
    .join('')
  if (source === undefined) return fullText
  const current = parseVariables(source, '').variables
  const expected = parseVariables(fullText, '').variables
  const changes = diffVariables(current, variables)
  if (diffVariables(current, expected).size === 0) return source
  return spliceYaml(source, {
    fullText,
    isCorrect: (text) => diffVariables(parseVariables(text, '').variables, expected).size === 0,
    editLines() {
      const { root } = new YamlFile(source, '')
      const edits = isMap(root) ? createMapEdits(source, root, changes) : undefined
      return edits && applyEdits(source, edits)
    },
    editDocument(document) {
      for (const [name, value] of changes) {
        if (value !== undefined) document.set(name, value)
        else while (document.delete(name));
      }
    },
  })
}

function diffVariables(before: Variables, after: Variables): Map<string, VariableValue | undefined> {
  const changes = new Map<string, VariableValue | undefined>()
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) changes.set(name, undefined)
  for (const [name, value] of Object.entries(after))
    if (!Object.hasOwn(before, name) || before[name] !== value) changes.set(name, value)
  return changes
}
