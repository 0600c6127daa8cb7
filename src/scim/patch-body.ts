import { findProperty } from './attribute-path.ts'
import { ScimError } from './errors.ts'
import { type PatchPath, parsePatchPath } from './parse-filter.ts'

export interface PatchOperation {
  op: 'add' | 'replace' | 'remove'
  path: PatchPath
  /** Absent if the operation removes the whole target. */
  value: unknown
}

/** Maximum number of operations of a PATCH request; identity providers send up to about one hundred. */
const maxOperations = 1000

/**
 * Parses the body of a PATCH request. An operation without a path becomes one operation for each attribute of its value;
 * names of operations are accepted in any case, as Entra ID sends them.
 */
export function parsePatchBody(body: unknown): PatchOperation[] {
  const operations = typeof body === 'object' && body !== null ? findProperty(body, 'operations') : undefined
  if (!Array.isArray(operations) || operations.length === 0) {
    throw new ScimError('invalidSyntax', 'Operations: must be a list with at least one operation')
  }
  if (operations.length > maxOperations) throw tooManyOperations()
  const parsed = operations.flatMap(parseOperation)
  if (parsed.length > maxOperations) throw tooManyOperations()
  return parsed
}

const tooManyOperations = () =>
  new ScimError('invalidValue', `Operations: has more than ${maxOperations} operations. Split it into several requests`)

function parseOperation(operation: unknown): PatchOperation[] {
  if (typeof operation !== 'object' || operation === null) {
    throw new ScimError('invalidSyntax', 'Operations: must contain objects')
  }
  const op = toOperationName(findProperty(operation, 'op'))
  const path = findProperty(operation, 'path') ?? undefined
  const value = findProperty(operation, 'value')
  if (path !== undefined) {
    if (typeof path !== 'string') throw new ScimError('invalidPath', 'path: must be a string')
    if (op !== 'remove' && value === undefined) throw new ScimError('invalidValue', 'value: is required')
    return [{ op, path: parsePatchPath(path), value }]
  }
  if (op === 'remove') throw new ScimError('noTarget', 'path: is required to remove something')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ScimError('invalidValue', 'value: must be an object if there is no path')
  }
  return Object.entries(value).map(([name, part]) => ({ op, path: parsePatchPath(name), value: part as unknown }))
}

function toOperationName(op: unknown): PatchOperation['op'] {
  const name = typeof op === 'string' ? op.toLowerCase() : ''
  if (name !== 'add' && name !== 'replace' && name !== 'remove') {
    throw new ScimError('invalidSyntax', 'op: must be add, replace or remove')
  }
  return name
}
