import { expect, test } from 'vitest'
import { api, operationGroups } from '../../src/contract/api.ts'
import { teams } from '../../src/contract/teams.ts'
import type { users } from '../../src/contract/users.ts'
import type { ImplementedGroup } from '../../src/kernel/implement.ts'
import { teamRoutes } from '../../src/resources/teams/handlers.ts'

test('the type of the routes of a group does not accept the routes of another group', () => {
  // @ts-expect-error The operations of both groups have different names.
  const routes: ImplementedGroup<typeof users> = teamRoutes
  expect(routes.operations).toBe(teams)
  expect(routes.routes.map(({ name }) => name)).toEqual(Object.keys(teams))
})

test('operation names are unique across groups', () => {
  const names = Object.values(operationGroups).flatMap((operations) => Object.keys(operations))
  expect(names.toSorted()).toEqual(Object.keys(api).toSorted())
})
