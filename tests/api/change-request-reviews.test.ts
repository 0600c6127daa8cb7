import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SpaceMergeRules } from '../../src/contract/space.ts'
import { type Proposal, editLive, emptySpace, insertPage, propose } from '../support/content.ts'
import { readAllPages } from '../support/lists.ts'
import { refusal } from '../support/refusal.ts'
import { type Admin, type Person, type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
let admin: Admin
let [rita, rolf]: Person[] = []
beforeAll(async () => {
  octavo = await startTestServer()
  admin = octavo.admin
  rita = await octavo.member('review', 'Rita')
  rolf = await octavo.member('review', 'Rolf')
})
afterAll(() => octavo.stop())

const paragraph = (text: string) => ({
  object: 'document' as const,
  data: {},
  nodes: [
    {
      object: 'block' as const,
      type: 'paragraph',
      nodes: [{ object: 'text' as const, leaves: [{ object: 'leaf' as const, text, marks: [] }] }],
    },
  ],
})

const idOf = (person: Person | undefined): string => person?.id ?? ''

function review(
  person: Person | undefined,
  { params }: Proposal,
  status: 'approved' | 'changes-requested' = 'approved',
) {
  return (person ?? admin).api.submitChangeRequestReview({ params, body: { status } })
}

test('a review contains its reviewer, status and comment, and is outdated after a content change', async () => {
  const proposal = await propose(admin, await emptySpace(admin))
  const { params } = proposal
  const [pageId = ''] = await proposal.edit(insertPage('# Page'))
  const made = await (rita as Person).api.submitChangeRequestReview({
    params,
    body: { status: 'changes-requested', comment: { markdown: 'Please **shorten**' } },
  })
  const { revision } = await admin.api.getChangeRequestById({ params })
  expect(made).toMatchObject({
    object: 'change-request-review',
    revision,
    reviewer: { id: idOf(rita) },
    status: 'changes-requested',
    outdated: false,
    comment: { body: { markdown: expect.stringContaining('Please **shorten**') }, postedBy: { id: idOf(rita) } },
  })
  expect(made).not.toHaveProperty('requestedBy')
  await admin.api.updateChangeRequestById({ params, body: { subject: 'Only the name' } })
  const read = () => (rita as Person).api.getChangeRequestReviewById({ params: { ...params, reviewId: made.id } })
  expect(await read()).toEqual(made)

  await proposal.edit({ operation: 'update_page', page: pageId, title: 'Shorter' })
  expect(await read()).toEqual({ ...made, outdated: true })
  const second = await review(rolf, proposal)
  const listed = async (query: { outdated?: string } = {}) =>
    (await admin.api.getReviewsByChangeRequestId({ params, query })).items.map(({ id }) => id)
  expect(await listed()).toEqual([second.id, made.id])
  expect(await listed({ outdated: 'true' })).toEqual([made.id])
  expect(await listed({ outdated: 'false' })).toEqual([second.id])
  const paged = await readAllPages((page) =>
    admin.api.getReviewsByChangeRequestId({ params, query: { limit: '1', page } }),
  )
  expect(paged.map((items) => items.map(({ id }) => id))).toEqual([[second.id], [made.id]])
  const asDocument = await admin.api.getReviewsByChangeRequestId({ params, query: { format: 'document' } })
  expect(asDocument.items[1]?.comment?.body).toMatchObject({ document: { object: 'document' } })

  const editor = await octavo.member('edit', 'Editor')
  expect(await refusal(review(editor, proposal))).toBe('403')
  const elsewhere = await propose(admin, await emptySpace(admin))
  const misplaced = admin.api.getChangeRequestReviewById({ params: { ...elsewhere.params, reviewId: made.id } })
  expect(await refusal(misplaced)).toBe('404')
})

test('requesting reviewers opens a draft, and a review completes the request to its reviewer', async () => {
  const proposal = await propose(admin, await emptySpace(admin))
  const { params } = proposal
  const ask = (users: string[], more: object = {}) =>
    admin.api.requestReviewersForChangeRequest({ params, body: { users, ...more } })
  const asked = async () => {
    const { items } = await admin.api.getRequestedReviewersByChangeRequestId({ params })
    return items.map((item) => (item.kind === 'user' ? item.user.id : item.team.id)).sort()
  }
  expect(await refusal(ask([]))).toBe('400 body.users')
  expect(await refusal(ask([idOf(rita), 'nobody']))).toBe('404 body.users.1')
  expect(await asked()).toEqual([])
  expect(await admin.api.getChangeRequestById({ params })).toMatchObject({ status: 'draft' })

  const { users } = await ask([idOf(rita), idOf(rolf), idOf(rita)], {
    subject: 'Ready',
    description: paragraph('Look'),
  })
  expect(users).toMatchObject([
    {
      object: 'change-request-requested-reviewer',
      kind: 'user',
      user: { id: idOf(rita) },
      requestedBy: { id: admin.id },
    },
    { user: { id: idOf(rolf) } },
  ])
  expect(await admin.api.getChangeRequestById({ params })).toMatchObject({
    status: 'open',
    subject: 'Ready',
    description: paragraph('Look'),
  })
  expect(await asked()).toEqual([idOf(rita), idOf(rolf)].sort())
  const paged = await readAllPages((page) =>
    admin.api.getRequestedReviewersByChangeRequestId({ params, query: { limit: '1', page } }),
  )
  expect(paged.map((items) => items.length)).toEqual([1, 1])

  expect(await review(rita, proposal)).toMatchObject({ requestedBy: { id: admin.id } })
  expect(await asked()).toEqual([idOf(rolf)])
  await admin.api.removeRequestedReviewerFromChangeRequest({ params: { ...params, userId: idOf(rolf) } })
  await admin.api.removeRequestedReviewerFromChangeRequest({ params: { ...params, userId: idOf(rolf) } })
  expect(await asked()).toEqual([])
  // A reviewer can be requested again; an empty description removes the description.
  await ask([idOf(rita)], { description: { object: 'document', data: {}, nodes: [] } })
  expect(await asked()).toEqual([idOf(rita)])
  expect(await admin.api.getChangeRequestById({ params })).not.toHaveProperty('description')
})

type Rule = Extract<SpaceMergeRules, { type: 'rules' }>['rules'][number]

async function spaceWith(...rules: Rule[]): Promise<string> {
  const spaceId = await emptySpace(admin)
  await admin.api.updateSpaceById({ params: { spaceId }, body: { mergeRules: { type: 'rules', rules } } })
  return spaceId
}

/** Creates a change request in a space with merge rules, and a function that attempts to merge it. */
async function ruled(...rules: Rule[]): Promise<Proposal & { attempt(by?: Person): Promise<string> }> {
  const spaceId = await spaceWith(...rules)
  const proposal = await propose(admin, spaceId)
  await proposal.edit(insertPage('# Page'))
  return {
    ...proposal,
    attempt: async (by = admin) => {
      const outcome = await refusal(by.api.mergeChangeRequest({ params: proposal.params }))
      return outcome === 'was not refused' ? 'merged' : outcome
    },
  }
}

test('require_at_least_one_review accepts a review that requests changes', async () => {
  const proposal = await ruled({ rule: 'require_at_least_one_review' })
  expect(await proposal.attempt()).toBe('409')
  await review(rita, proposal, 'changes-requested')
  expect(await proposal.attempt()).toBe('merged')
})

test('require_at_least_one_approved_review requires an approval of the current content', async () => {
  const proposal = await ruled({ rule: 'require_at_least_one_approved_review' })
  await review(rita, proposal, 'changes-requested')
  expect(await proposal.attempt()).toBe('409')
  await review(rolf, proposal)
  await proposal.edit(insertPage('# Sneaked in'))
  expect(await proposal.attempt()).toBe('409')
  await review(rolf, proposal)
  await review(rolf, proposal, 'changes-requested')
  expect(await proposal.attempt()).toBe('409')
  await review(rolf, proposal)
  expect(await proposal.attempt()).toBe('merged')
})

test('require_all_reviews_approved blocks the merge until each reviewer who requested changes approves', async () => {
  const proposal = await ruled({ rule: 'require_all_reviews_approved' })
  await review(rolf, proposal)
  await review(rita, proposal, 'changes-requested')
  expect(await proposal.attempt()).toBe('409')
  // A content change does not clear a request for changes; the reviewer must review again.
  await proposal.edit(insertPage('# More'))
  expect(await proposal.attempt()).toBe('409')
  await review(rita, proposal)
  expect(await proposal.attempt()).toBe('merged')
})

test('rules about specific reviewers require the approval of all or of one of the listed users', async () => {
  const users = [idOf(rita), idOf(rolf)]
  const [all, one] = [
    await ruled({ rule: 'require_specific_reviewers', users }),
    await ruled({ rule: 'require_one_of_specific_reviewers', users }),
  ]
  for (const proposal of [all, one]) {
    await review(undefined, proposal)
    expect(await proposal.attempt()).toBe('409')
    await review(rolf, proposal)
  }
  expect(await one.attempt()).toBe('merged')
  expect(await all.attempt()).toBe('409')
  await review(rita, all)
  expect(await all.attempt()).toBe('merged')
})

test('merge rules can require a subject, a description and an up-to-date change request', async () => {
  const proposal = await ruled(
    { rule: 'require_change_request_subject' },
    { rule: 'require_change_request_description' },
    { rule: 'require_up_to_date_change_request' },
  )
  const { params } = proposal
  const set = (body: object) => admin.api.updateChangeRequestById({ params, body })
  await editLive(admin, params.spaceId, insertPage('# Live'))
  const reason = await admin.api.mergeChangeRequest({ params }).catch((error: Error) => error.message)
  expect(reason).toMatch(/subject.*description|description.*subject/)
  expect(reason).toContain('up to date')
  await set({ subject: ' ' })
  await set({ description: paragraph('Why') })
  await proposal.update()
  expect(await proposal.attempt()).toBe('409')
  await set({ subject: 'What' })
  await editLive(admin, params.spaceId, insertPage('# Live again'))
  expect(await proposal.attempt()).toBe('409')
  await proposal.update()
  expect(await proposal.attempt()).toBe('merged')
})

test('require_author_to_merge restricts the merge to the author, and allow_bypass exempts listed users', async () => {
  const authors = await ruled({ rule: 'require_author_to_merge' })
  expect(await authors.attempt(rita)).toBe('409')
  expect(await authors.attempt()).toBe('merged')

  const proposal = await ruled(
    { rule: 'require_agent_review' },
    { rule: 'require_at_least_one_approved_review' },
    { rule: 'allow_bypass', users: [idOf(rita)] },
  )
  await review(rolf, proposal)
  expect(await proposal.attempt()).toBe('409')
  expect(await proposal.attempt(rolf)).toBe('409')
  expect(await proposal.attempt(rita)).toBe('merged')
})

test('a custom rule evaluates an expression over the change request and returns its own message', async () => {
  const proposal = await ruled({
    rule: 'custom',
    expression: 'changeRequest.subject.startsWith("DOC-") && changeRequest.reviews.length > 1',
    message: 'name the ticket',
  })
  const { params } = proposal
  const reason = () => admin.api.mergeChangeRequest({ params }).catch((error: Error) => error.message)
  expect(await reason()).toContain('name the ticket')
  await admin.api.updateChangeRequestById({ params, body: { subject: 'DOC-7' } })
  await review(rita, proposal)
  expect(await reason()).toContain('name the ticket')
  await review(rolf, proposal)
  expect(await proposal.attempt()).toBe('merged')
})

test('a custom rule with an invalid expression is rejected with 400', async () => {
  const broken: Rule[] = [{ rule: 'require_at_least_one_review' }, { rule: 'custom', expression: 'changeRequest.(' }]
  expect(await refusal(spaceWith(...broken))).toBe('400 body.mergeRules.rules.1.expression')
  const inOrganization = admin.api.updateOrganizationById({
    params: { organizationId: admin.organizationId },
    body: { mergeRules: { type: 'rules', rules: broken } },
  })
  expect(await refusal(inOrganization)).toBe('400 body.mergeRules.rules.1.expression')
})

test('a space inherits the merge rules of its organization unless it has its own rules or none', async () => {
  const owner = await octavo.person('Owner')
  const { id: organizationId } = await owner.api.createOrganization({ body: { title: 'Strict' } })
  const spaceId = await emptySpace({ ...owner, organizationId, spaceId: '' })
  const setRules = (mergeRules: SpaceMergeRules) =>
    owner.api.updateSpaceById({ params: { spaceId }, body: { mergeRules } })
  await owner.api.updateOrganizationById({
    params: { organizationId },
    body: { mergeRules: { type: 'rules', rules: [{ rule: 'require_change_request_subject' }] } },
  })
  const attempt = async (subject = '') => refusal((await propose(owner, spaceId, subject)).merge())
  const merged = 'was not refused'
  expect([await attempt(), await attempt('Named')]).toEqual(['409', merged])
  await setRules({ type: 'none' })
  expect(await attempt()).toBe(merged)
  await setRules({ type: 'rules', rules: [{ rule: 'require_change_request_description' }] })
  expect(await attempt('Named')).toBe('409')
  await setRules({ type: 'inherit' })
  expect([await attempt(), await attempt('Named')]).toEqual(['409', merged])
})
