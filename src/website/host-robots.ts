import { seconds } from '../kernel/time.ts'
import type { PoliteFetch } from './polite-fetch.ts'
import { type Robots, allowAll, maxRobotsBytes, parseRobots } from './robots.ts'

/** Maximum delay between requests that a host can require. */
const maxDelay = seconds(10)

/**
 * Loads the `robots.txt` of a host and sets the delay between requests that it requires. Returns the status if the host failed,
 * in which case nothing may be requested (RFC 9309).
 */
export async function loadRobots(
  fetch: PoliteFetch,
  origin: string,
  minDelay: number,
): Promise<Robots | { failedWith: number }> {
  const reply = await fetch.get(`${origin}/robots.txt`, maxRobotsBytes * 10)
  if (reply.status >= 500) {
    reply.discard()
    return { failedWith: reply.status }
  }
  let robots = allowAll
  if (reply.status === 200) robots = parseRobots(await readTextHead(reply.body, maxRobotsBytes))
  else reply.discard()
  fetch.setDelay(Math.max(minDelay, Math.min(robots.delay, maxDelay)))
  return robots
}

/** Reads at most `maxBytes` of a text; the rest is not received. */
async function readTextHead(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= maxBytes) break
  }
  return Buffer.concat(chunks).toString('utf8', 0, Math.min(size, maxBytes))
}
