import { expect, test } from 'vitest'
import type { PageEntry } from '../../src/content/revision/objects.ts'
import { PageList } from '../../src/content/revision/page-list.ts'
import { expectLinear } from '../support/growth.ts'

const entry = (name: string): PageEntry => ({ id: name, type: 'document', slug: name, hash: name })
const listOf = (names: readonly string[]) => new PageList(names.map(entry))

test('inserts a removed page again at another position', () => {
  const list = listOf(['a', 'b', 'c'])
  list.remove('a')
  list.insert(entry('d'))
  list.insert(entry('a'))
  expect(list.ids).toEqual(['b', 'c', 'd', 'a'])
  list.remove('d')
  list.insert(entry('d'), 1)
  expect(list.entries().map(({ id }) => id)).toEqual(['b', 'd', 'c', 'a'])
  list.remove('b')
  list.reorder(['a', 'b', 'c'])
  expect(list.ids).toEqual(['a', 'c', 'd'])
})

test('a slug is taken until the last page with it is removed', () => {
  const list = new PageList([entry('a'), { ...entry('b'), slug: 'a' }])
  list.remove('a')
  expect([list.hasSlug('a'), list.hasSlug('a', 'b')]).toEqual([true, false])
  list.remove('b')
  expect(list.hasSlug('a')).toBe(false)
})

test('replaces sibling pages in linear time', async () => {
  await expectLinear(10_000, (count) => {
    const names = Array.from({ length: count }, (_, index) => `p${index}`)
    const list = listOf(names)
    for (const name of names.toReversed()) {
      list.remove(name)
      list.insert(entry(`new-${name}`))
    }
    expect([list.ids.length, list.ids[0]]).toEqual([count, `new-p${count - 1}`])
  })
})
