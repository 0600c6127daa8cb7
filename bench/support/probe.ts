import { Worker } from 'node:worker_threads'

export interface ProbeResult {
  /** Number of successful requests. */
  answered: number
  /** Number of requests that failed or returned an error. */
  failed: number
  /** Maximum response time in milliseconds. */
  worst: number
  /** Median response time in milliseconds. */
  median: number
}

export interface Probe {
  stop(): Promise<ProbeResult>
}

/** Timeout of a request in milliseconds. */
const patience = 60_000

// Plain JavaScript, because it runs in a worker thread: the attacking thread is too busy to measure anything.
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

/** Requests `/healthz` repeatedly, each time over a new connection, until it is stopped. */
export async function startProbe(url: string, { pause = 10 } = {}): Promise<Probe> {
  const worker = new Worker(program, { eval: true, workerData: { url: `${url}/healthz`, patience, pause } })
  const nextMessage = () => new Promise<unknown>((resolve) => worker.once('message', resolve))
  await nextMessage()
  return {
    async stop() {
      const result = nextMessage()
      worker.postMessage('stop', [])
      return (await result) as ProbeResult
    },
  }
}
