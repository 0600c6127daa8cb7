/** An operation, webhook or schema that differs between two versions of a specification. */
export interface OperationChange {
  kind: 'added' | 'changed' | 'deleted'
  /** For example `GET /pets` or `Pet`. */
  name: string
}

type Json = Record<string, unknown>

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

/** Compares two documents: their operations, webhooks and schemas. */
export function compareOperations(before: Json, after: Json): OperationChange[] {
  const [old, current] = [listParts(before), listParts(after)]
  const names = [...new Set([...old.keys(), ...current.keys()])]
  return names.flatMap((name): OperationChange[] => {
    const [former, latter] = [old.get(name), current.get(name)]
    if (former === latter) return []
    return [{ name, kind: former === undefined ? 'added' : latter === undefined ? 'deleted' : 'changed' }]
  })
}

/** Returns the parts of a document as text, by their names. */
function listParts(document: Json): Map<string, string> {
  const parts = new Map<string, string>()
  for (const group of ['paths', 'webhooks']) {
    for (const [path, item] of Object.entries(toObject(document[group]))) {
      const { parameters } = toObject(item)
      for (const method of methods) {
        const operation = toObject(item)[method]
        if (operation !== undefined)
          parts.set(`${method.toUpperCase()} ${path}`, JSON.stringify([operation, parameters]))
      }
    }
  }
  for (const [name, schema] of Object.entries(toObject(toObject(document['components'])['schemas'])))
    parts.set(name, JSON.stringify(schema))
  return parts
}

const toObject = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {})
