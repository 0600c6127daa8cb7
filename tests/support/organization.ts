import type { DefaultLevel, RoleOrGuest } from '../../src/contract/roles.ts'
import type { Person, TestServer } from './server.ts'

export type TestOrganization = Awaited<ReturnType<typeof makeOrganization>>

/** Creates an organization for a test, whose only member is its administrator, and returns functions to fill it. */
export async function makeOrganization(octavo: TestServer, name = 'Acme') {
  const owner = await octavo.person('Owner')
  const organization = await owner.api.createOrganization({ body: { title: name } })
  const params = { organizationId: organization.id }

  const add = async (person: Person, role: RoleOrGuest) => {
    await owner.api.inviteUsersToOrganization({ params, body: { emails: [{ email: person.email, role }] } })
    return person
  }
  return {
    owner,
    organization,
    params,
    add,
    member: async (role: RoleOrGuest, displayName = 'Member') => add(await octavo.person(displayName), role),
    /** Returns the membership of a person. */
    getMembership: (person: Person) =>
      owner.api.getMemberInOrganizationById({ params: { ...params, userId: person.id } }),
    team: (title: string, members: Person[] = []) =>
      owner.api.createOrganizationTeam({ params, body: { title, members: members.map(({ id }) => id) } }),
    collection: (title: string, parent?: string) => owner.api.createCollection({ params, body: { title, parent } }),
    space: async (title: string, { parent, defaultLevel }: { parent?: string; defaultLevel?: DefaultLevel } = {}) => {
      const space = await owner.api.createSpace({ params, body: { title, parent } })
      if (defaultLevel === undefined) return space
      return owner.api.updateSpaceById({ params: { spaceId: space.id }, body: { defaultLevel } })
    },
  }
}
