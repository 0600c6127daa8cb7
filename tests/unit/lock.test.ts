import { expect, test } from 'vitest'
import { getFolderId, createExclusiveFolder } from '../../src/storage/lock.ts'
import { folderForTest } from '../support/disk.ts'

test('processes that share a folder have different ids, and a successor reuses a released id', () => {
  const base = folderForTest()
  const [first, second] = [createExclusiveFolder(base), createExclusiveFolder(base)]
  const ids = [getFolderId(first.path()), getFolderId(second.path())]
  expect(new Set(ids).size).toBe(2)
  first.release()
  const successor = createExclusiveFolder(base)
  expect(getFolderId(successor.path())).toBe(ids[0])
  second.release()
  successor.release()
})
