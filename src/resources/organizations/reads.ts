import type { OrganizationMergeRules } from '../../contract/space.ts'
import type { Db } from '../../storage/tables.ts'
import { findOrganization } from './store.ts'

export { findOrganization }

export async function getMergeRules(db: Db, organizationId: string): Promise<OrganizationMergeRules> {
  const organization = await findOrganization(db, organizationId)
  return organization ? (JSON.parse(organization.merge_rules) as OrganizationMergeRules) : { type: 'none' }
}
