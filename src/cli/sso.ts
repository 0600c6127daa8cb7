import { clearSsoRequirements } from '../domain/members/member-store.ts'
import { updateOrganization } from '../domain/organizations/organization-store.ts'
import type { Command } from './command.ts'
import { idsAndClock, withDatabase } from './environment.ts'
import { getOrganization, organizationOption } from './organizations.ts'

export const ssoOffCommand: Command = {
  name: 'sso off',
  summary: 'Stop requiring SSO in an organization',
  options: organizationOption,
  async run({ options }) {
    const organization = await withDatabase((database) =>
      database.transaction(async (db) => {
        const { id } = await getOrganization(db, options['organization'])
        await clearSsoRequirements(db, id)
        return updateOrganization(db, id, { sso: 0, updated_at: idsAndClock.now() })
      }),
    )
    console.log(`${organization.title} (${organization.id}) does not require SSO any more.`)
  },
}
