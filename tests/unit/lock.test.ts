import { expect, test } from 'vitest'
import { identityIn, ownFolderIn } from '../../src/storage/lock.ts'
import { folderForTest } from '../support/disk.ts'

test('processes that share a folder have different ids, and a successor reuses a released id', () => {
  const base = folderForTest()
  const [first, second] = [ownFolderIn(base), ownFolderIn(base)]
  const ids = [identityIn(first.path()), identityIn(second.path())]
  expect(new Set(ids).size).toBe(2)
  first.release()
  const successor = ownFolderIn(base)
  expect(identityIn(successor.path())).toBe(ids[0])
  second.release()
  successor.release()
})
