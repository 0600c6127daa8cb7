import { formatAttributePath } from '../../scim/attribute-path.ts'
import { groupConditions } from './group-store.ts'
import type { TranslateTerm } from './sql-filter.ts'

/** Returns the translation of terms of filters of groups to SQL. */
export function translateGroupTerms(organizationId: string): TranslateTerm {
  return (term) => {
    if (term.kind !== 'compare' || typeof term.value !== 'string' || term.value === '') return undefined
    const path = formatAttributePath(term.path)
    const text = term.value.toLowerCase()
    if (path === 'displayname' && term.operator === 'co') return groupConditions.displayNameContains(text)
    if (term.operator !== 'eq') return undefined
    switch (path) {
      case 'id':
        return groupConditions.id(term.value)
      case 'displayname':
        return groupConditions.displayName(text)
      case 'externalid':
        return groupConditions.externalId(organizationId, term.value)
      case 'members':
      case 'members.value':
        return groupConditions.member(organizationId, term.value)
      default:
        return undefined
    }
  }
}
