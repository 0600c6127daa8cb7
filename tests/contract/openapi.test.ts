import { Validator } from '@seriousme/openapi-schema-validator'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '../../src/contract/api.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

interface Document {
  components: { schemas: Record<string, Record<string, unknown>> }
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>
  servers: { url: string }[]
}

let octavo: TestServer
beforeAll(async () => {
  octavo = await startTestServer()
})
afterAll(() => octavo.stop())

const served = async () => (await (await octavo.fetch('/openapi.json')).json()) as Document

test('the document is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate((await served()) as unknown as Record<string, unknown>)
  expect(result).toMatchObject({ valid: true })
})

test('all named schemas are defined and not empty', async () => {
  const { schemas } = (await served()).components
  const empty = Object.entries(schemas).filter(([, schema]) => '$ref' in schema || Object.keys(schema).length === 0)
  expect(empty).toEqual([])
  const referredTo = JSON.stringify(await served()).matchAll(/"#\/components\/schemas\/(\w+)"/g)
  for (const [, name] of referredTo) expect(schemas).toHaveProperty(name as string)
})

test('the document contains every operation of the contract once, with its method and path', async () => {
  const document = await served()
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [operationId, `${method.toUpperCase()} ${path}`]),
  )
  const declared = Object.entries(api).map(([name, { method, path }]: [string, Operation]) => [
    name,
    `${method} ${path}`,
  ])
  expect(new Map(described as [string, string][])).toEqual(new Map(declared as [string, string][]))
  expect(document.servers[0]?.url).toBe(`${octavo.url}/v1`)
})

test('operations of the public API have the same method and path here', () => {
  const file = createRequire(import.meta.url)
    .resolve('@gitbook/api')
    .replace(/dist\/.*$/, 'spec/openapi.json')
  const official = JSON.parse(readFileSync(file, 'utf8')) as Document
  const placeOf = new Map(
    Object.entries(official.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId }]) => [operationId, `${method.toUpperCase()} ${path}`] as const,
      ),
    ),
  )
  const shared = Object.entries(api).filter(([name]) => placeOf.has(name)) as [string, Operation][]
  expect(shared.length).toBeGreaterThan(60)
  for (const [name, { method, path }] of shared) expect(`${method} ${path}`).toBe(placeOf.get(name))
})
