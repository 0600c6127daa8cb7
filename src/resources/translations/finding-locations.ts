import type { FindingLocation } from '../../domain/translations/finding-store.ts'
import type { TextLocation } from '../../translation/translate-document.ts'
import type { RetriedItems } from '../../translation/changed-items.ts'
import type { TextOwner } from '../../translation/translate-tree.ts'

const tagPrefix = 'tags.'
const variablePrefix = 'variables.'

export const locationOfTag = (slug: string): FindingLocation => ({ field: tagPrefix + slug })

export const locationOfVariable = (name: string): FindingLocation => ({ field: variablePrefix + name })

/** Returns the location of a text in a space, given its location in a page, in a reusable content or among the tags. */
export function toFindingLocation({ kind, id }: TextOwner, location: TextLocation): FindingLocation {
  switch (kind) {
    case 'page':
      return { page: id, ...location }
    case 'reusable-content':
      return { reusableContent: id, ...location }
    case 'tags':
      return locationOfTag(location.field ?? '')
  }
}

/** Returns the owner of a location: a page, a reusable content, a tag, or a variable. */
export function ownerOfLocation({ page, reusableContent, field = '' }: FindingLocation): {
  kind: 'page' | 'reusable-content' | 'tag' | 'variable'
  id: string
} {
  if (page !== undefined) return { kind: 'page', id: page }
  if (reusableContent !== undefined) return { kind: 'reusable-content', id: reusableContent }
  if (field.startsWith(tagPrefix)) return { kind: 'tag', id: field.slice(tagPrefix.length) }
  return { kind: 'variable', id: field.slice(variablePrefix.length) }
}

/** Returns the items that contain texts at some locations. */
export function toRetriedItems(locations: readonly FindingLocation[]): RetriedItems {
  const owners = locations.map(ownerOfLocation)
  const idsOf = (kind: (typeof owners)[number]['kind']) =>
    new Set(owners.flatMap((owner) => (owner.kind === kind ? [owner.id] : [])))
  return { pages: idsOf('page'), reusableContents: idsOf('reusable-content'), tags: idsOf('tag') }
}
