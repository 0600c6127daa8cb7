import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SpaceMergeRules } from '../../src/contract/space.ts'
import { ConflictScenario } from '../support/conflicts.ts'
import { insertPage } from '../support/content.ts'
import { randomInteger, seededRandom } from '../support/random.ts'
import { refusal } from '../support/refusal.ts'
import { type Admin, type Person, type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
let admin: Admin
let people: Person[]
beforeAll(async () => {
  octavo = await startTestServer()
  admin = octavo.admin
  people = [admin, await octavo.member('review', 'Rita'), await octavo.member('edit', 'Ed')]
})
afterAll(() => octavo.stop())

type Rule = Extract<SpaceMergeRules, { type: 'rules' }>['rules'][number]

const statusOf = (by: Pick<Person, 'api'>, { proposal }: ConflictScenario) =>
  by.api.getChangeRequestMergeStatus({ params: proposal.params })

/** Merges; returns whether the space was changed. */
async function merge(by: Pick<Person, 'api'>, { proposal }: ConflictScenario): Promise<boolean> {
  const reply = by.api.mergeChangeRequest({ params: proposal.params })
  const outcome = await refusal(reply)
  return outcome === 'was not refused' && (await reply).result === 'merge'
}

const setRules = (target: ConflictScenario, rules: Rule[]) =>
  admin.api.updateSpaceById({ params: { spaceId: target.spaceId }, body: { mergeRules: { type: 'rules', rules } } })

const review = (by: Person | undefined, { proposal }: ConflictScenario, status: 'approved' | 'changes-requested') =>
  (by ?? admin).api.submitChangeRequestReview({ params: proposal.params, body: { status } })

const sentences = (first: string, second: string) => `${first} is first.\n\n${second} is second. Both remain.`

test('a merge succeeds exactly when the merge status is mergeable, for random rules and states', async () => {
  const chance = seededRandom(7)
  const pick = <Item>(items: readonly Item[]): Item => items[randomInteger(chance, 0, items.length - 1)] as Item
  const ids = people.map(({ id }) => id)
  const allRules: Rule[] = [
    { rule: 'require_specific_reviewers', users: ids.slice(0, 2) },
    { rule: 'require_one_of_specific_reviewers', users: ids.slice(0, 2) },
    { rule: 'require_at_least_one_review' },
    { rule: 'require_at_least_one_approved_review' },
    { rule: 'require_all_reviews_approved' },
    { rule: 'require_up_to_date_change_request' },
    { rule: 'require_change_request_subject' },
    { rule: 'require_author_to_merge' },
    { rule: 'allow_bypass', users: ids.slice(1, 2) },
    { rule: 'custom', expression: 'changeRequest.reviews.length < 2' },
  ]
  const outcomes = new Set<string>()
  for (let round = 0; round < 12; round++) {
    const target = await ConflictScenario.create(admin, ['A', 'B'])
    const { params } = target.proposal
    const actions = [
      () => target.editProposal(target.write('A', sentences(pick(['One', 'Two']), 'Old'))),
      () => target.editPublished(target.write('A', sentences('Three', pick(['Old', 'New'])))),
      () => target.editPublished(target.write('B', `Text ${round}.`)),
      () => review(pick(people.slice(0, 2)), target, 'approved'),
      () => review(people[1], target, pick(['approved', 'changes-requested'])),
      () => admin.api.updateChangeRequestById({ params, body: { subject: 'Subject' } }),
      () => admin.api.updateChangeRequestById({ params, body: { status: pick(['open', 'open', 'open', 'archived']) } }),
      () => target.proposal.update(),
      () => target.resolveAll(pick(['ours', 'theirs'])),
    ]
    await setRules(target, pick([[], [pick(allRules)], [pick(allRules), pick(allRules)]]))
    await target.editProposal(target.write('A', sentences('Zero', 'Old')))
    if (round % 3 === 0) await target.editPublished(target.write('A', sentences('Four', 'Old')))
    for (let step = 0; step < 4; step++) {
      // Some actions are refused in some states, for example edits of an archived change request.
      for (let count = 0; count < 3; count++) await refusal(Promise.resolve(pick(actions)()))
      const by = pick(people)
      const { mergeable, reasons } = await statusOf(by, target)
      expect(reasons.length === 0).toBe(mergeable)
      expect(await merge(by, target), `round ${round}, step ${step}: ${reasons.join(', ')}`).toBe(mergeable)
      for (const outcome of mergeable ? ['mergeable'] : reasons) outcomes.add(outcome)
      if (mergeable) break
    }
  }
  expect([...outcomes]).toEqual(expect.arrayContaining(['mergeable', expect.stringContaining('onflict')]))
  expect(outcomes.size).toBeGreaterThan(4)
})

test('the merge status lists rules with their source and reviewers, and counts reviews', async () => {
  const target = await ConflictScenario.create(admin, ['A'])
  const { params } = target.proposal
  const [, rita, ed] = people
  await setRules(target, [
    { rule: 'require_specific_reviewers', users: [admin.id, rita?.id ?? ''] },
    { rule: 'allow_bypass', users: [ed?.id ?? ''] },
  ])
  await target.editProposal(insertPage('# New'))
  await review(admin, target, 'changes-requested')
  await target.editProposal(insertPage('# Newer'))
  await review(rita, target, 'approved')
  await admin.api.requestReviewersForChangeRequest({ params, body: { users: [admin.id] } })
  expect(await statusOf(admin, target)).toEqual({
    object: 'change-request-merge-status',
    mergeable: false,
    reasons: ['All required reviewers must approve it'],
    checks: [
      {
        rule: 'require_specific_reviewers',
        source: 'space',
        satisfied: false,
        message: 'All required reviewers must approve it',
        reviewers: [
          { user: expect.objectContaining({ id: admin.id }), approved: false },
          { user: expect.objectContaining({ id: rita?.id }), approved: true },
        ],
      },
    ],
    canBypass: false,
    conflicts: { open: 0, resolved: 0, expected: 0 },
    combined: 0,
    outdated: false,
    reviews: { approved: 1, changesRequested: 0, outdated: 1, requested: 1 },
    permissions: { edit: true, review: true, merge: true },
  })
  expect(await statusOf(ed ?? admin, target)).toMatchObject({
    mergeable: false,
    canBypass: true,
    reasons: ['You are not allowed to merge change requests of this space'],
    permissions: { edit: true, review: false, merge: false },
  })
})

test('the merge status counts expected, open and resolved conflicts', async () => {
  const target = await ConflictScenario.create(admin, ['A', 'B'])
  await target.editProposal(target.write('A', 'Ours.'), target.write('B', 'Ours.'))
  await target.editPublished(target.write('A', 'Theirs.'), target.write('B', 'Theirs.'))
  const counts = async () => {
    const { conflicts, outdated } = await statusOf(admin, target)
    return { ...conflicts, outdated }
  }
  expect(await counts()).toEqual({ open: 0, resolved: 0, expected: 2, outdated: true })
  await target.proposal.update()
  expect(await counts()).toEqual({ open: 2, resolved: 0, expected: 0, outdated: false })
  await target.resolve('A', 'ours', 'block')
  expect(await counts()).toEqual({ open: 1, resolved: 1, expected: 0, outdated: false })
})

test('rules of the organization apply with their source, and a token without the scope cannot merge', async () => {
  const target = await ConflictScenario.create(admin, ['A'])
  const organization = (rules: Rule[]) =>
    admin.api.updateOrganizationById({
      params: { organizationId: admin.organizationId },
      body: { mergeRules: { type: 'rules', rules } },
    })
  await organization([{ rule: 'require_change_request_subject' }])
  expect((await statusOf(admin, target)).checks).toEqual([
    expect.objectContaining({ rule: 'require_change_request_subject', source: 'organization', satisfied: false }),
  ])
  await organization([])
  const { token } = await admin.api.createToken({ body: { label: 'Reader', scopes: ['space:read'] } })
  const { proposal } = target
  const reply = await octavo.fetch(
    `/v1/spaces/${proposal.params.spaceId}/change-requests/${proposal.id}/merge-status`,
    {
      token,
    },
  )
  expect(await reply.json()).toMatchObject({ mergeable: false, permissions: { merge: false, edit: false } })
})
