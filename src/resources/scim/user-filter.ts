import { formatAttributePath } from '../../scim/attribute-path.ts'
import type { TranslateTerm } from './sql-filter.ts'
import { userConditions } from './user-store.ts'

/** Attributes that every user has. */
const alwaysPresent = new Set(['id', 'username', 'active', 'emails', 'emails.value'])

/** Returns the translation of terms of filters of users to conditions that an index serves. */
export function translateUserTerms(organizationId: string): TranslateTerm {
  return (term) => {
    const path = formatAttributePath(term.path)
    if (term.kind === 'present') return alwaysPresent.has(path) ? userConditions.all() : undefined
    const text = String(term.value).toLowerCase()
    if (path === 'active') {
      const isBoolean = term.operator === 'eq' && (text === 'true' || text === 'false')
      return isBoolean ? userConditions.isActive(text === 'true') : undefined
    }
    if (typeof term.value !== 'string' || text === '') return undefined
    if (path === 'username' && ['co', 'sw', 'ew'].includes(term.operator)) {
      const [before, after] = [term.operator === 'sw' ? '' : '%', term.operator === 'ew' ? '' : '%']
      return userConditions.userNameLike(`${before}${text.replace(/[\\%_]/g, '\\$&')}${after}`)
    }
    if (term.operator !== 'eq') return undefined
    switch (path) {
      case 'id':
        return userConditions.id(term.value)
      case 'username':
        return userConditions.userName(text)
      case 'externalid':
        return userConditions.externalId(organizationId, term.value)
      case 'emails':
      case 'emails.value':
        return userConditions.email(organizationId, text)
      case 'displayname':
        return userConditions.displayName(organizationId, text)
      case 'groups':
      case 'groups.value':
        return userConditions.group(organizationId, term.value)
      default:
        return undefined
    }
  }
}
