import { expect, test } from 'vitest'
import { Viewpoint, anonymousVisitor } from '../../src/publishing/visibility.ts'
import { hostileCondition } from '../support/hostile-sites.ts'

test('the conditions of one request share a budget, and content beyond it is hidden', () => {
  const conditions = Array.from({ length: 2000 }, (_, number) => ({ condition: hostileCondition(number) }))
  const viewpoint = Viewpoint.of(anonymousVisitor)
  const verdicts = conditions.map((condition) => viewpoint.getVisibility([condition]))
  expect(verdicts[0]).toMatchObject({ isVisible: true })
  expect(verdicts.at(-1)).toMatchObject({
    isVisible: false,
    error: 'The expressions together exceed the maximum number of steps',
  })
  expect(Viewpoint.of(anonymousVisitor).getVisibility(conditions.slice(-1))).toMatchObject({ isVisible: true })
})

test('a hundred thousand pages with different short conditions are within the budget', () => {
  const viewpoint = Viewpoint.of(anonymousVisitor)
  const pages = Array.from({ length: 100_000 }, (_, number) => ({
    condition: `visitor.claims.plan != 'p${number}' && page.vars.kind == 'a'`,
  }))
  const variables = { page: { kind: 'a' } }
  expect(pages.every((page) => viewpoint.getVisibility([page], variables).isVisible)).toBe(true)
})
