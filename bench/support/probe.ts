import { Worker } from 'node:worker_threads'

export interface ProbeResult {
  /** How many requests were answered. */
  answered: number
  /** How many requests failed or were answered with an error. */
  failed: number
  /** Milliseconds that the slowest request took. */
  worst: number
  /** Milliseconds that half of the requests took at most. */
  median: number
}

export interface Probe {
  stop(): Promise<ProbeResult>
}

/** Milliseconds after which a request counts as failed. */
const patience = 60_000

// Plain JavaScript, because it runs in a thread of its own: the thread that attacks is too busy to measure anything.
const program = `
const { parentPort, workerData } = require('node:worker_threads')
const { get } = require('node:http')
const times = []
let failed = 0
let isRunning = true
const ask = () => new Promise((resolve) => {
  const began = performance.now()
  const request = get(workerData.url, { agent: false, timeout: workerData.patience }, (reply) => {
    reply.resume()
    reply.on('end', () => {
      if (reply.statusCode === 200) times.push(performance.now() - began)
      else failed++
      resolve()
    })
  })
  request.on('timeout', () => request.destroy(new Error('timeout')))
  request.on('error', () => { failed++; times.push(performance.now() - began); resolve() })
})
parentPort.on('message', () => { isRunning = false })
;(async () => {
  await ask()
  parentPort.postMessage('started')
  while (isRunning) {
    await ask()
    await new Promise((resolve) => setTimeout(resolve, workerData.pause))
  }
  times.sort((a, b) => a - b)
  const median = times[Math.floor(times.length / 2)] ?? 0
  parentPort.postMessage({ answered: times.length, failed, worst: times.at(-1) ?? 0, median })
  parentPort.close()
})()
`

/** Asks for `/healthz` again and again, each time over a connection of its own, until it is stopped. */
export async function startProbe(url: string, { pause = 10 } = {}): Promise<Probe> {
  const worker = new Worker(program, { eval: true, workerData: { url: `${url}/healthz`, patience, pause } })
  const heard = () => new Promise<unknown>((resolve) => worker.once('message', resolve))
  await heard()
  return {
    async stop() {
      const result = heard()
      worker.postMessage('stop', [])
      return (await result) as ProbeResult
    },
  }
}
