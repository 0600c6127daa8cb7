import { Worker } from 'node:worker_threads'

/** Sends health checks one after the other, and reports the longest wait when it receives a message. */
const program = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { Agent, request } = require('node:http')
  const { existsSync, readFileSync } = require('node:fs')
  const agent = new Agent({ keepAlive: true })
  const statistics = '/proc/self/task/' + process.pid + '/schedstat'
  const now = existsSync(statistics) ? () => Number(readFileSync(statistics, 'latin1').split(' ')[0]) / 1e6 : () => performance.now()
  let longestWait = 0
  let isDone = false
  const check = () => {
    const start = now()
    request(workerData, { agent }, (reply) => reply.resume().on('end', () => next(start)))
      .on('error', () => next(start))
      .end()
  }
  const next = (start) => {
    longestWait = Math.max(longestWait, now() - start)
    // The last check may be the one with the longest wait.
    if (isDone) parentPort.postMessage(longestWait)
    else setTimeout(check, 25)
  }
  parentPort.once('message', () => { isDone = true })
  check()
`

/**
 * Returns the longest wait in milliseconds for a health check during other work, with the result of that work. The checks are sent by a
 * thread, so that the test itself cannot delay them. On Linux only the time counts in which the main thread of this process ran, because
 * other programs on the machine delay it too.
 */
export async function measureHealth<T>(
  url: string,
  work: () => Promise<T>,
): Promise<{ result: T; longestWait: number }> {
  const thread = new Worker(program, { eval: true, workerData: `${url}/healthz` })
  try {
    const result = await work()
    const longestWait = await new Promise<number>((resolve, reject) => {
      thread.once('message', resolve).once('error', reject)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      thread.postMessage('end')
    })
    return { result, longestWait }
  } finally {
    await thread.terminate()
  }
}
