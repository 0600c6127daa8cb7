import { expect, test } from 'vitest'
import { z } from 'zod'
import { operation } from '../../src/contract/operation.ts'
import { checkReply } from '../../src/http/check-reply.ts'

const route = {
  name: 'getPoint',
  operation: operation({
    method: 'GET',
    path: '/points/{pointId}',
    summary: 'Get a point',
    access: 'user',
    scope: 'any',
    reply: z.object({ id: z.string(), x: z.int().transform((x) => (x === 12 ? 21 : x)), y: z.int().optional() }),
  }),
}

test('accepts a reply with the declared fields in any order', () => {
  expect(() => checkReply(route, { x: 1, y: 2, id: 'a' })).not.toThrow()
  expect(() => checkReply(route, { id: 'a', x: 1, y: undefined })).not.toThrow()
})

test('rejects a reply with an undeclared field', () => {
  expect(() => checkReply(route, { id: 'a', x: 1, z: 3 })).toThrow(
    'getPoint replied what its contract does not declare',
  )
})

test('rejects a reply whose value differs from the parsed one', () => {
  expect(() => checkReply(route, { id: 'a', x: 12 })).toThrow('{"id":"a","x":12} instead of {"id":"a","x":21}')
})

test('rejects a value from an operation without a reply', () => {
  const { reply: _, ...operationWithoutReply } = route.operation
  const silent = { name: 'deletePoint', operation: operationWithoutReply }
  expect(() => checkReply(silent, undefined)).not.toThrow()
  expect(() => checkReply(silent, { id: 'a' })).toThrow('deletePoint has no reply in its contract')
})
