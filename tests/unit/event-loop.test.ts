import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { waitForTurn } from '../../src/kernel/event-loop.ts'

test('resumes one waiting task in each turn of the event loop, in order', async () => {
  const resumed: string[] = []
  const run = async (name: string) => {
    await waitForTurn()
    resumed.push(name)
    await waitForTurn()
    resumed.push(name)
  }
  const tasks = Promise.all([run('a'), run('b')])
  for (const expected of ['a', 'ab', 'aba', 'abab']) {
    await nextTurn()
    expect(resumed.join('')).toBe(expected)
  }
  await tasks
})
