import { describe, expect, test } from 'vitest'
import { type TreePage, findAncestors, findFirstPage, toPageRows } from '../../src/app/screens/space/page-rows.ts'
import { type DropTarget, findPage, toNeighborPosition, toPosition } from '../../src/app/screens/space/tree-moves.ts'

const page = (id: string, pages: TreePage[] = [], type = 'document') => ({ id, type, title: id, pages }) as TreePage

const tree = [
  page('guide', [page('install'), page('configure', [page('advanced')])]),
  page('reference', [page('api')], 'group'),
  page('website', [], 'link'),
]
const get = (id: string) => findPage(tree, id) as TreePage
const drop = (moved: string, target: string, position: DropTarget['position']) =>
  toPosition(tree, get(moved), { page: target, position })

test('rows contain the pages of open branches with their depth and position', () => {
  const rows = toPageRows(tree, (id) => id === 'guide')
  expect(rows.map(({ page: { id }, depth, position, siblings }) => [id, depth, position, siblings])).toEqual([
    ['guide', 0, 1, 3],
    ['install', 1, 1, 2],
    ['configure', 1, 2, 2],
    ['reference', 0, 2, 3],
    ['website', 0, 3, 3],
  ])
  expect(findAncestors(tree, 'advanced')).toEqual(['guide', 'configure'])
  expect(findFirstPage([page('group', [page('first')], 'group')])?.id).toBe('first')
})

describe('dropping a page', () => {
  test('beside a sibling counts the siblings without the page itself', () => {
    expect(drop('install', 'configure', 'after')).toEqual({ into: 'guide', at: 1 })
    expect(drop('configure', 'install', 'before')).toEqual({ into: 'guide', at: 0 })
    expect(drop('api', 'website', 'before')).toEqual({ into: null, at: 2 })
  })
  test('on a page makes it the last one below it', () => {
    expect(drop('api', 'guide', 'inside')).toEqual({ into: 'guide', at: 2 })
    expect(drop('install', 'guide', 'inside')).toEqual({ into: 'guide', at: 1 })
  })
  test('is refused below itself, below a link, and for a group below a page', () => {
    expect(drop('guide', 'guide', 'inside')).toBeUndefined()
    expect(drop('guide', 'advanced', 'after')).toBeUndefined()
    expect(drop('api', 'website', 'inside')).toBeUndefined()
    expect(drop('reference', 'install', 'before')).toBeUndefined()
    expect(drop('reference', 'guide', 'inside')).toBeUndefined()
  })
})

const move = (id: string, direction: 'up' | 'down' | 'in' | 'out') => toNeighborPosition(tree, get(id), direction)

test('the keyboard moves a page among its siblings, below the one before it, and out of its branch', () => {
  expect(move('configure', 'up')).toEqual({ into: 'guide', at: 0 })
  expect(move('install', 'up')).toBeUndefined()
  expect(move('install', 'down')).toEqual({ into: 'guide', at: 1 })
  expect(move('configure', 'in')).toEqual({ into: 'install', at: 0 })
  expect(move('advanced', 'out')).toEqual({ into: 'guide', at: 2 })
  expect(move('install', 'out')).toEqual({ into: null, at: 1 })
  expect(move('guide', 'out')).toBeUndefined()
})
