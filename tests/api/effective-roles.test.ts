import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Collection } from '../../src/contract/collections.ts'
import type { DefaultLevel, Role, RoleOrGuest } from '../../src/contract/roles.ts'
import type { Space } from '../../src/contract/space.ts'
import { type TestOrganization, makeOrganization } from '../support/organization.ts'
import { refusal } from '../support/refusal.ts'
import { collectionPermissions, rolesAscending, spacePermissions } from '../support/roles.ts'
import { type Person, type TestServer, startTestServer } from '../support/server.ts'

/** Places where a role can be granted: the space, its collection, and the parent of that collection. */
const places = ['space', 'inner', 'outer'] as const
type Place = (typeof places)[number]
type Levels = Record<Place, DefaultLevel>

interface Grant {
  place: Place
  to: 'user' | 'team'
  role: Role
}

/** A user with a role in the organization and further roles granted to the user or to a team of the user. */
interface Subject extends Person {
  role: RoleOrGuest
  grants: Grant[]
}

const levels: DefaultLevel[] = ['inherit', null, ...rolesAscending]

let octavo: TestServer
let organization: TestOrganization
let owner: Person
let outer: Collection
let inner: Collection
let space: Space
let subjects: Subject[]

beforeAll(async () => {
  octavo = await startTestServer()
  organization = await makeOrganization(octavo)
  owner = organization.owner
  outer = await organization.collection('Outer')
  inner = await organization.collection('Inner', outer.id)
  space = await organization.space('Space', { parent: inner.id })
  subjects = await makeSubjects()
  await shareAll()
})
afterAll(() => octavo.stop())

/** Creates users for every organization role: without grants, with each kind of grant, and with several. */
async function makeSubjects(): Promise<Subject[]> {
  const found: Subject[] = []
  for (const [turn, role] of [null, ...rolesAscending].entries()) {
    const single = places.flatMap((place, index) =>
      (['user', 'team'] as const).flatMap((to, other) => {
        const first = turn + 2 * index + other
        // Two roles three steps apart, so that one is lower and one is higher than most other roles of the subject.
        return [first, first + 3].map((step) => [
          { place, to, role: rolesAscending[step % rolesAscending.length] as Role },
        ])
      }),
    )
    const several: Grant[][] = [
      [
        { place: 'space', to: 'user', role: 'read' },
        { place: 'outer', to: 'team', role: 'review' },
      ],
      [
        { place: 'space', to: 'team', role: 'comment' },
        { place: 'space', to: 'user', role: 'edit' },
        { place: 'inner', to: 'user', role: 'create' },
      ],
    ]
    for (const grants of [[], ...single, ...several])
      found.push({ ...(await octavo.person(role ?? 'guest')), role, grants })
  }
  await owner.api.inviteUsersToOrganization({
    params: organization.params,
    body: { emails: found.map(({ email, role }) => ({ email, role })) },
  })
  return found
}

async function shareAll(): Promise<void> {
  for (const place of places) {
    for (const role of rolesAscending) {
      const having = (to: Grant['to']) =>
        subjects.filter(({ grants }) =>
          grants.some((grant) => grant.place === place && grant.role === role && grant.to === to),
        )
      const users = having('user').map(({ id }) => id)
      const { id: team } = await organization.team(`${role} of ${place}`, having('team'))
      const body = { role, teams: [team], ...(users.length > 0 && { users }) }
      if (place === 'space') await owner.api.inviteToSpace({ params: { spaceId: space.id }, body })
      else
        await owner.api.inviteToCollection({
          params: { collectionId: place === 'inner' ? inner.id : outer.id },
          body,
        })
    }
  }
}

/**
 * Returns the expected role. Administrators have the role `admin` everywhere. Other members have the nearest default
 * level that is not `inherit`, or else their role in the organization. Guests have no role by default. A role granted to
 * the user or to a team of the user, on the resource or on a collection that contains it, applies if it is higher.
 */
function roleByRules({ role, grants }: Subject, now: Levels, of: 'space' | 'inner'): RoleOrGuest {
  const above: Place[] = of === 'space' ? ['space', 'inner', 'outer'] : ['inner', 'outer']
  const level = above.map((place) => now[place]).find((each) => each !== 'inherit')
  const byLevel = role === 'admin' ? 'admin' : role === null ? null : level === undefined ? role : level
  const shared = new Set(grants.filter((grant) => above.includes(grant.place)).map((grant) => grant.role))
  return rolesAscending.findLast((each) => each === byLevel || shared.has(each)) ?? null
}

/** Combinations of default levels that include every level of each place. */
const settings: Levels[] = [
  ...(['inherit', null, 'edit'] as const).flatMap((each) =>
    levels.map((level): Levels => ({ outer: 'inherit', inner: each, space: level })),
  ),
  ...levels.slice(2).map((level): Levels => ({ outer: null, inner: level, space: 'inherit' })),
  ...levels.slice(1).map((level): Levels => ({ outer: level, inner: 'inherit', space: 'inherit' })),
]

async function set(now: Levels, before: Levels | undefined): Promise<void> {
  const changed = (place: Place) => now[place] !== before?.[place]
  for (const [place, { id }] of [
    ['outer', outer],
    ['inner', inner],
  ] as const)
    if (changed(place))
      await owner.api.updateCollectionById({ params: { collectionId: id }, body: { defaultLevel: now[place] } })
  if (changed('space'))
    await owner.api.updateSpaceById({ params: { spaceId: space.id }, body: { defaultLevel: now.space } })
}

/** Returns the expected role of every user with access, by user id. */
function everyone(now: Levels, of: 'space' | 'inner'): Record<string, Role> {
  const entries = subjects.map((subject) => [subject.id, roleByRules(subject, now, of)] as const)
  return Object.fromEntries([[owner.id, 'admin'], ...entries.filter(([, role]) => role !== null)]) as Record<
    string,
    Role
  >
}

const byUser = (list: { items: { permission: Role; user: { id: string } }[] }) =>
  Object.fromEntries(list.items.map(({ permission, user }) => [user.id, permission]))

async function checkLists(now: Levels): Promise<void> {
  const query = { limit: 1000 }
  const inSpace = await owner.api.listPermissionsAggregateInSpace({ params: { spaceId: space.id }, query })
  expect(byUser(inSpace)).toEqual(everyone(now, 'space'))
  expect(inSpace.count).toBe(inSpace.items.length)
  if (now.space !== 'inherit') return
  const inInner = await owner.api.listPermissionsAggregateInCollection({ params: { collectionId: inner.id }, query })
  expect(byUser(inInner)).toEqual(everyone(now, 'inner'))
}

async function checkSubject(subject: Subject, now: Levels): Promise<void> {
  const role = roleByRules(subject, now, 'space')
  const get = () => subject.api.getSpaceById({ params: { spaceId: space.id } })
  const listed = await subject.api.listSpacesInOrganizationById({ params: organization.params })
  const params = { ...organization.params, userId: subject.id }
  const ofMember = await owner.api.listSpacesForOrganizationMember({ params })
  expect((await organization.getMembership(subject)).spaces).toBe(role === null ? 0 : 1)
  if (role === null) {
    expect(await refusal(get())).toBe('404')
    expect([listed, ofMember]).toEqual([
      { count: 0, items: [] },
      { count: 0, items: [] },
    ])
  } else {
    const seen = await get()
    expect(seen.permissions).toEqual(spacePermissions(role))
    expect(listed).toEqual({ count: 1, items: [seen] })
    expect(ofMember).toMatchObject({ count: 1, items: [{ permission: role, space: { id: space.id } }] })
  }

  const above = roleByRules(subject, now, 'inner')
  const getInner = () => subject.api.getCollectionById({ params: { collectionId: inner.id } })
  if (above === null) expect(await refusal(getInner())).toBe('404')
  else expect((await getInner()).permissions).toEqual(collectionPermissions(above))
}

test('spaces, collections and permission lists return the role derived from default levels and grants', async () => {
  let turn = 0
  let before: Levels | undefined
  for (const now of settings) {
    await set(now, before)
    before = now
    await checkLists(now)
    // 31 is coprime to the number of subjects, so every subject is checked.
    for (let some = 0; some < 3; some++) {
      const subject = subjects[(turn++ * 31) % subjects.length] as Subject
      await checkSubject(subject, now)
    }
  }
  expect(turn).toBeGreaterThan(subjects.length)
}, 120_000)
