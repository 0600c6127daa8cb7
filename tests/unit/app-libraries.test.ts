import { expect, test } from 'vitest'
import { compareOperations } from '../../src/app/screens/specs/compare-operations.ts'
import { splitProblem } from '../../src/app/screens/specs/split-problem.ts'

const placeOf = (message: string) => splitProblem(message).place

test('the place of a problem is separated from its text', () => {
  expect(splitProblem('line 5, /paths/pets: A path must begin with "/"')).toEqual({
    place: 'line 5, /paths/pets',
    text: 'A path must begin with "/"',
  })
  expect(placeOf('line 3: The JSON is not valid: unexpected "}"')).toBe('line 3')
  expect(placeOf('https://a.test/b.yaml, line 2, /A: Something')).toBe('https://a.test/b.yaml, line 2, /A')
  expect(placeOf('The server did not respond')).toBeUndefined()
})

test('versions of a specification are compared by operations and schemas', () => {
  const before = { paths: { '/a': { get: { summary: 'A' } }, '/b': { get: {} } }, components: { schemas: { S: {} } } }
  const after = { paths: { '/a': { get: { summary: 'B' }, post: {} } }, webhooks: { w: { post: {} } } }
  expect(compareOperations(before, after)).toEqual([
    { name: 'GET /a', kind: 'changed' },
    { name: 'GET /b', kind: 'deleted' },
    { name: 'S', kind: 'deleted' },
    { name: 'POST /a', kind: 'added' },
    { name: 'POST w', kind: 'added' },
  ])
})
