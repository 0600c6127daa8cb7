import { parentPort } from 'node:worker_threads'
import { shrunk } from './resize.ts'
import { type SocialCard, drawSocialCard } from './social-card.ts'

/** What is drawn in a thread of its own. */
export type DrawingTask =
  | { kind: 'smaller picture'; bytes: Uint8Array; width: number }
  | { kind: 'social card'; card: SocialCard }

export interface Drawn {
  /** Nothing when it cannot be drawn. */
  bytes?: Uint8Array | undefined
}

async function draw(task: DrawingTask): Promise<Drawn> {
  try {
    return {
      bytes: task.kind === 'smaller picture' ? await shrunk(task.bytes, task.width) : await drawSocialCard(task.card),
    }
  } catch {
    // Bytes of users that only look like a picture.
    return {}
  }
}

async function answer(task: DrawingTask): Promise<void> {
  const drawn = await draw(task)
  parentPort?.postMessage(drawn, [])
}

parentPort?.on('message', (task: DrawingTask) => void answer(task))
