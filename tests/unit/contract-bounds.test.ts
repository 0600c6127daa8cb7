import { expect, test } from 'vitest'
import { z } from 'zod'
import { api } from '../../src/contract/api.ts'
import type { Operation } from '../../src/contract/operation.ts'

type Json = { [name: string]: unknown }

/** Returns the paths of all arrays in a schema that have no maximum length. */
function unboundedLists(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { type, maxItems, enum: values } = schema as Json
  const own = type === 'array' && maxItems === undefined && values === undefined ? [path] : []
  return [...own, ...Object.entries(schema).flatMap(([name, inner]) => unboundedLists(inner, `${path}.${name}`))]
}

test('every list in a request body has a maximum length', () => {
  const unbounded = Object.entries<Operation>(api).flatMap(([name, { body }]) =>
    body ? unboundedLists(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }), name) : [],
  )
  expect(unbounded).toEqual([])
})
