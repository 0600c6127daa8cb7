import { setTimeout as sleep } from 'node:timers/promises'

/** Number of successive checks that must find no job, because a long job continues as another one. */
const idleChecks = 10

/** Timeout in milliseconds. */
const timeout = 600_000

/** Waits until the search index, links and highlighted code are up to date. */
export async function waitForJobs({ url }: { url: string }): Promise<void> {
  const active = /^octavo_jobs\{kind="(?:search|code|links)\.\w+",state="(?:queued|running)"\} [1-9]/m
  const started = performance.now()
  for (let idle = 0; idle < idleChecks; await sleep(200)) {
    const text = await (await fetch(`${url}/metrics`)).text()
    idle = active.test(text) ? 0 : idle + 1
    if (performance.now() - started > timeout) throw new Error('The jobs do not end')
  }
}
