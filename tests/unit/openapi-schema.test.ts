import { expect, test } from 'vitest'
import { isFieldUsed, readSchema } from '../../src/openapi/schema.ts'
import { OpenApiSpec } from '../../src/openapi/spec.ts'

const specWith = (schemas: Record<string, unknown>) => new OpenApiSpec({ components: { schemas } })
const empty = specWith({})
const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })

test('reads at most a limited number of fields, alternatives and allowed values, and counts the rest', () => {
  const numbers = Array.from({ length: 10_000 }, (_, index) => index)
  const properties = Object.fromEntries(numbers.map((number) => [`field${number}`, { type: 'string' }]))
  const fields = readSchema(empty, { properties })
  expect(fields.properties.length).toBeLessThan(1000)
  expect(fields.properties.length + fields.omittedProperties).toBe(10_000)
  const { values } = readSchema(empty, { enum: numbers })
  expect(values?.count).toBe(10_000)
  expect(values?.list.length).toBeLessThan(1000)
  const choices = readSchema(empty, { oneOf: numbers.map((number) => ({ title: `${number}`, type: 'object' })) })
  expect(choices.choices.length + choices.omittedChoices).toBe(10_000)
  expect(choices.choices.length).toBeLessThan(1000)
})

test('a reference is decoded as a part of a URL before its slashes and tildes', () => {
  const spec = specWith({ 'a/b~1 c': { type: 'string' } })
  for (const name of ['a~1b~01%20c', 'a%7E1b%7E01%20c']) expect(readSchema(spec, refTo(name)).types).toEqual(['string'])
})

test('reads descriptions of allowed values in every common notation', () => {
  const describe = (schema: object) =>
    readSchema(empty, { enum: ['a', 'b'], ...schema }).values?.list.map(({ description }) => description)
  expect(describe({ 'x-enumDescriptions': { a: 'First', c: 'No value' } })).toEqual(['First', undefined])
  expect(describe({ 'x-enum-descriptions': ['First', 'Second'] })).toEqual(['First', 'Second'])
  expect(describe({ 'x-enum-varnames': ['FIRST', 'SECOND'] })).toEqual(['FIRST', 'SECOND'])
  const constants = readSchema(empty, {
    oneOf: [
      { const: 1, title: 'One' },
      { const: 2, description: 'Two' },
    ],
  })
  expect(constants.values?.list).toEqual([
    { value: 1, description: 'One' },
    { value: 2, description: 'Two' },
  ])
})

test('the mapping of a discriminator labels the alternatives', () => {
  const mapping = { kitty: '#/components/schemas/Cat', dog: 'Dog' }
  const spec = specWith({
    Cat: { allOf: [refTo('Pet'), { properties: { lives: { type: 'integer' } } }] },
    Dog: { type: 'object', properties: { tricks: { type: 'array' } } },
    Pet: { type: 'object', properties: { kind: { type: 'string' } }, discriminator: { propertyName: 'kind', mapping } },
  })
  const oneOf = readSchema(spec, {
    oneOf: [refTo('Dog'), refTo('Cat')],
    discriminator: { propertyName: 'kind', mapping },
  })
  expect(oneOf.choices.map(({ label }) => label)).toEqual(['dog', 'kitty'])
  const base = readSchema(spec, refTo('Pet'))
  expect(base.discriminator).toBe('kind')
  expect(base.choices.map(({ label }) => label)).toEqual(['kitty', 'dog'])
  // A schema that extends the base is not an alternative of itself.
  expect(readSchema(spec, refTo('Cat')).choices).toEqual([])
})

test('a single reference in allOf keeps its name and gets the description beside it', () => {
  const spec = specWith({
    Owner: { type: 'object', description: 'A person', properties: { name: { type: 'string' } } },
  })
  expect(readSchema(spec, { allOf: [refTo('Owner')], description: 'Who pays' })).toMatchObject({
    name: 'Owner',
    description: 'Who pays',
  })
  expect(readSchema(spec, { ...refTo('Owner'), description: 'Who pays' })).toMatchObject({
    name: 'Owner',
    description: 'Who pays',
  })
})

test('fields of a schema override those of allOf, and required fields are collected from all parts', () => {
  const { properties } = readSchema(empty, {
    allOf: [
      { properties: { id: { type: 'string' }, name: { type: 'string' } }, required: ['id'] },
      { required: ['name'] },
    ],
    properties: { id: { type: 'integer' } },
  })
  expect(properties).toEqual([
    { name: 'id', schema: { type: 'integer' }, isRequired: true },
    { name: 'name', schema: { type: 'string' }, isRequired: true },
  ])
})

const used = (schema: object) =>
  (['request', 'response', 'any'] as const).map((purpose) => isFieldUsed(readSchema(empty, schema), purpose))

test('requests omit read-only fields, responses write-only ones, and both internal ones', () => {
  expect(used({ readOnly: true })).toEqual([false, true, true])
  expect(used({ writeOnly: true })).toEqual([true, false, true])
  expect(used({ 'x-internal': true })).toEqual([false, false, false])
  expect(used({})).toEqual([true, true, true])
})

test('cycles and dangling references end', () => {
  const spec = specWith({
    Self: refTo('Self'),
    All: { allOf: [refTo('All'), refTo('Other')] },
    Other: { allOf: [refTo('All'), { properties: { name: {} } }] },
    One: { oneOf: [refTo('One')] },
  })
  expect(readSchema(spec, refTo('Self')).isMissing).toBe(true)
  expect(readSchema(spec, refTo('All')).properties.map(({ name }) => name)).toEqual(['name'])
  expect(readSchema(spec, refTo('One')).choices).toEqual([])
  expect(readSchema(spec, refTo('Nowhere'))).toMatchObject({ name: 'Nowhere', isMissing: true })
  expect(readSchema(spec, { $ref: `#/${'a/'.repeat(100_000)}` }).isMissing).toBe(true)
})
