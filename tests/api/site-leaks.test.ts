import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestsOf } from '../support/leak-requests.ts'
import { LeakRunner } from '../support/leak-runner.ts'
import { guestsOf, namedVisitors } from '../support/leak-visitors.ts'
import { type LeakWorld, makeLeakWorld } from '../support/leak-world.ts'
import { seeded } from '../support/random.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

let octavo: TestServer
let world: LeakWorld
let runner: LeakRunner
const chance = seeded(7)
beforeAll(async () => {
  octavo = await startTestServer()
  console.time('world')
  world = await makeLeakWorld(octavo, 1, namedVisitors)
  console.timeEnd('world')
  runner = new LeakRunner(octavo.url, world)
})
afterAll(async () => {
  runner?.stop()
  await octavo.stop()
})

test('nobody is shown what is not for them, whatever they ask for', { timeout: 900_000 }, async () => {
  const requests = []
  for (const site of world.sites) {
    for (const guest of await guestsOf(octavo, world, site))
      requests.push(...requestsOf(site, guest, world.secrets, chance))
  }
  console.time('one')
  const cpu = process.cpuUsage()
  await runner.run(requests, chance)
  console.timeEnd('one')
  console.log(process.cpuUsage(cpu))
  console.log(runner.count, runner.counts)
  const kinds = new Map<string, [number, string]>()
  for (const p of runner.problems) {
    const k = p
      .replace(/zx\w+/g, '*')
      .replace(/\(.*$/, '')
      .replace(/ to .*?: /, ' : ')
    const b = kinds.get(k)
    kinds.set(k, [(b?.[0] ?? 0) + 1, b?.[1] ?? p])
  }
  console.log(kinds)
  expect(runner.problems.length).toBe(0)
})
