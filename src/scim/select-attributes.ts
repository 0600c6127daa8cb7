import { formatAttributePath, resolveAttributePath } from './attribute-path.ts'
import { ScimError } from './errors.ts'

/** Attributes of a reply that a request names with `attributes` or `excludedAttributes`, in lower case. */
export interface AttributeSelection {
  included: ReadonlySet<string> | undefined
  excluded: ReadonlySet<string>
}

const maxNames = 100

/** Attributes that every reply contains. */
const alwaysReturned = new Set(['schemas', 'id'])

/** Reads the attributes that a request wants in the reply. */
export function parseSelection(get: (name: string) => string | undefined): AttributeSelection {
  const [included, excluded] = [get('attributes'), get('excludedAttributes')].map(parseNames)
  return { included, excluded: excluded ?? new Set() }
}

function parseNames(text: string | undefined): ReadonlySet<string> | undefined {
  const names = text?.split(',').flatMap((name) => name.trim() || [])
  if (names === undefined || names.length === 0) return undefined
  if (names.length > maxNames) throw new ScimError('invalidValue', `attributes: has more than ${maxNames} names`)
  return new Set(names.map((name) => formatAttributePath(resolveAttributePath(name))))
}

/** Whether an attribute, or a part of it, is explicitly requested. */
export function isRequested({ included }: AttributeSelection, attribute: string): boolean {
  return included !== undefined && [...included].some((key) => key === attribute || key.startsWith(`${attribute}.`))
}

/** Whether an attribute that is returned by default, or a part of it, is part of the reply. */
export function isSelected(selection: AttributeSelection, attribute: string): boolean {
  return selection.included ? isRequested(selection, attribute) : !selection.excluded.has(attribute)
}

/** Returns a resource with the selected attributes only. */
export function selectAttributes(resource: object, selection: AttributeSelection): object {
  if (!selection.included && selection.excluded.size === 0) return resource
  const entries = Object.entries(resource).flatMap(([name, value]): [string, unknown][] => {
    const attribute = name.toLowerCase()
    if (alwaysReturned.has(attribute)) return [[name, value]]
    if (!isSelected(selection, attribute)) return []
    return [[name, selectParts(value, attribute, selection)]]
  })
  return Object.fromEntries(entries)
}

function selectParts(value: unknown, attribute: string, selection: AttributeSelection): unknown {
  if (Array.isArray(value)) return value.map((element) => selectParts(element, attribute, selection))
  if (typeof value !== 'object' || value === null || selection.included?.has(attribute)) return value
  const isPartSelected = (name: string) => {
    const key = `${attribute}.${name.toLowerCase()}`
    return selection.included ? selection.included.has(key) : !selection.excluded.has(key)
  }
  return Object.fromEntries(Object.entries(value).filter(([name]) => isPartSelected(name)))
}
