import { groupSchemaId, octavoUserSchemaId, userSchemaId } from './schemas.ts'

/** Name of an attribute or of one of its parts, in lower case, because names are case-insensitive. */
export interface AttributePath {
  /** Name of the attribute; for an extension, its schema. */
  attribute: string
  subAttribute?: string
}

const corePrefixes = [userSchemaId, groupSchemaId].map((id) => `${id.toLowerCase()}:`)
const extension = octavoUserSchemaId.toLowerCase()

/** Resolves a name such as `name.givenName`, with or without the schema before it. */
export function resolveAttributePath(text: string): AttributePath {
  const name = text.toLowerCase()
  if (name === extension) return { attribute: extension }
  if (name.startsWith(`${extension}:`)) return { attribute: extension, subAttribute: name.slice(extension.length + 1) }
  const corePrefix = corePrefixes.find((prefix) => name.startsWith(prefix))
  if (corePrefix === undefined && name.startsWith('urn:')) return { attribute: name }
  const [attribute = '', subAttribute] = name.slice(corePrefix?.length ?? 0).split('.', 2)
  return { attribute, ...(subAttribute !== undefined && { subAttribute }) }
}

/** Returns a path as one text in lower case. */
export function formatAttributePath({ attribute, subAttribute }: AttributePath): string {
  return subAttribute === undefined ? attribute : `${attribute}.${subAttribute}`
}

/** Returns the value of a property whose name may be written in any case. */
export function findProperty(object: object, lowerCaseName: string): unknown {
  for (const [name, value] of Object.entries(object)) if (name.toLowerCase() === lowerCaseName) return value
  return undefined
}
