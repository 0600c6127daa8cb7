import type { Db, Row } from '../../schema/tables.ts'
import { addMember } from '../../domain/members/membership.ts'
import { findOrganization, insertOrganization } from '../../domain/organizations/organization-store.ts'
import { replaceEmailDomains } from './store.ts'

/** Creates an organization with its first administrator. */
export async function createOrganization(
  db: Db,
  { newId, now }: { newId: () => string; now: () => string },
  {
    title,
    emailDomains = [],
    admin,
  }: { title: string; emailDomains?: readonly string[] | undefined; admin: Row<'users'> },
): Promise<Row<'organizations'>> {
  const domains = [...new Set(emailDomains)]
  const { id } = await insertOrganization(db, {
    id: newId(),
    title,
    type: 'business',
    use_case: null,
    community_type: null,
    email_domains: JSON.stringify(domains),
    hostname: null,
    default_role: 'read',
    logo: null,
    sso: 0,
    second_factor_required: 0,
    ai: 0,
    invite_links: 1,
    plan: 'free_2024',
    merge_rules: JSON.stringify({ type: 'none' }),
    member_count: 0,
    created_at: now(),
    updated_at: now(),
    sso_admin_id: null,
  })
  await replaceEmailDomains(db, id, domains)
  await addMember(db, now, { organizationId: id, user: admin, role: 'admin' })
  return (await findOrganization(db, id)) as Row<'organizations'>
}
