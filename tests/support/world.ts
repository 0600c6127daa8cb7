import { type Role, roles } from '../../src/contract/roles.ts'
import type { Person, TestServer } from './server.ts'

export interface World {
  /** A member of each role, and a guest, of the administrator's organization. */
  members: Map<Role | null, Person>
  /** The administrator of another organization. */
  stranger: Person
  /** One of everything in the administrator's organization, by the name of its path parameter. */
  params: Record<string, string>
  /** Where the other organization keeps its own. */
  foreignOrganizationId: string
}

/** Fills a server with one of everything, and somebody of every kind. */
export async function makeWorld(octavo: TestServer): Promise<World> {
  const { admin } = octavo
  const organization = { organizationId: admin.organizationId }
  const members = new Map<Role | null, Person>([[null, await octavo.member(null, 'guest')]])
  for (const role of roles) members.set(role, await octavo.member(role, role))
  const reader = members.get('read') as Person

  await admin.api.updateOrganizationById({
    params: organization,
    body: { hostname: 'secret-name', emailDomains: ['secret.example'] },
  })
  const team = await admin.api.createOrganizationTeam({
    params: organization,
    body: { title: 'Secret team', members: [reader.id] },
  })
  const collection = await admin.api.createCollection({ params: organization, body: { title: 'Secret collection' } })
  const invite = await admin.api.createOrganizationInvite({ params: organization, body: { role: 'read' } })
  const token = await admin.api.createToken({ body: { label: 'Secret token' } })

  const stranger = await octavo.person('Stranger')
  const foreign = await stranger.api.createOrganization({ body: { title: 'Elsewhere' } })
  return {
    members,
    stranger,
    foreignOrganizationId: foreign.id,
    params: {
      ...organization,
      spaceId: admin.spaceId,
      collectionId: collection.id,
      teamId: team.id,
      userId: reader.id,
      inviteId: invite.id,
      tokenId: token.id,
      emailDomain: 'secret.example',
      subdomain: 'secret-name',
    },
  }
}
