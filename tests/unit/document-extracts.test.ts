import { expect, test } from 'vitest'
import { createExtractKeeper, findExtract } from '../../src/derived/document-extracts.ts'
import { limitCacheForTest } from '../support/cache.ts'

const code = [{ code: 'x'.repeat(2000) }]
const extract = { references: '[]', anchors: '{}', code: JSON.stringify(code), text: '{}' }

/** Keeps extracts until the keeper is full; returns the hashes of their documents. */
function fill(name: string): string[] {
  const extracts = createExtractKeeper()
  const hashes: string[] = []
  while (!extracts.isFull()) {
    hashes.push(`${name} ${hashes.length}`)
    extracts.keep(hashes.at(-1) as string, extract)
  }
  return hashes
}

test('an import keeps the extracts of its first documents, and the next import those of its own', () => {
  limitCacheForTest('document extracts', 100_000)
  for (const name of ['one', 'two']) {
    const hashes = fill(name)
    expect(hashes.length).toBeGreaterThan(40)
    // The extract that filled it is not kept.
    const found = hashes.map((hash) => findExtract(hash, 'code'))
    expect(found).toEqual([...hashes.slice(0, -1).map(() => code), undefined])
  }
  expect(findExtract('one 0', 'code')).toBeUndefined()
})
