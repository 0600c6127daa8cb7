import { isAlias, isMap, isScalar } from 'yaml'
import type { VariableValue, Variables } from '../revision/objects.ts'
import type { RepositoryProblem } from './source.ts'
import { editsOfMap, withEdits } from './yaml-edits.ts'
import { printOverYaml } from './yaml-print.ts'
import { YamlFile, printScalar, truncateForMessage, writtenAs } from './yaml-text.ts'

const maxNameLength = 100
const maxTextLength = 256

/** Parses the variables of a space. Invalid variables are reported as problems and omitted. */
export function readVariables(source: string, file: string): { variables: Variables; problems: RepositoryProblem[] } {
  const yaml = new YamlFile(source, file)
  const variables: Record<string, VariableValue> = {}
  if (isMap(yaml.root)) {
    for (const [name, { key, value }] of yaml.entries(yaml.root)) {
      const scalar = readValue(value)
      if (!/^[A-Za-z]\w*$/.test(name) || name.length > maxNameLength)
        yaml.problem(
          key,
          `${truncateForMessage(name)} is not a valid name: it must begin with a letter and contain only letters, digits and _`,
        )
      else if (scalar === undefined)
        yaml.problem(
          key,
          isAlias(value) ? 'Aliases are not supported' : `${name} must be a string, a number, true or false`,
        )
      else if (typeof scalar === 'string' && scalar.length > maxTextLength)
        yaml.problem(key, `${name} is longer than ${maxTextLength} characters`)
      else variables[name] = scalar
    }
  } else if (yaml.root) yaml.problem(yaml.root, 'The variables must be a mapping of names to values')
  return { variables, problems: yaml.problems }
}

/** Returns a value; a number that is too large, not finite or has leading zeros is returned as the string that is written. */
function readValue(node: unknown): VariableValue | undefined {
  if (!isScalar(node) || node.value === null) return undefined
  const { value } = node
  if (typeof value === 'string' || typeof value === 'boolean') return value
  const written = writtenAs(node)
  if (typeof value !== 'number' || !Number.isFinite(value) || /^[-+]?0\d/.test(written)) return written
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER || String(value) === written ? value : written
}

/** Prints variables over the file that they were read from: only changed, added and removed keys differ. */
export function printVariablesOver(source: string | undefined, variables: Variables): string {
  const fresh = Object.entries(variables)
    .map(([name, value]) => `${printScalar(name)}: ${printScalar(value)}\n`)
    .join('')
  if (source === undefined) return fresh
  const present = readVariables(source, '').variables
  const wanted = readVariables(fresh, '').variables
  const changes = changesBetween(present, variables)
  if (changesBetween(present, wanted).size === 0) return source
  return printOverYaml(source, {
    fresh,
    isRight: (text) => changesBetween(readVariables(text, '').variables, wanted).size === 0,
    edited() {
      const { root } = new YamlFile(source, '')
      const edits = isMap(root) ? editsOfMap(source, root, changes) : undefined
      return edits && withEdits(source, edits)
    },
    edit(document) {
      for (const [name, value] of changes) {
        if (value !== undefined) document.set(name, value)
        else while (document.delete(name));
      }
    },
  })
}

function changesBetween(before: Variables, after: Variables): Map<string, VariableValue | undefined> {
  const changes = new Map<string, VariableValue | undefined>()
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) changes.set(name, undefined)
  for (const [name, value] of Object.entries(after))
    if (!Object.hasOwn(before, name) || before[name] !== value) changes.set(name, value)
  return changes
}
