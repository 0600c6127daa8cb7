import { serveTasks } from '../../threads/serve.ts'
import { resizeToWebp } from './resize.ts'
import { type SocialCard, drawSocialCard } from './social-card.ts'

/** Task of a drawing process. */
export type DrawingTask =
  | { kind: 'smaller picture'; bytes: Uint8Array; width: number }
  | { kind: 'social card'; card: SocialCard }

serveTasks<DrawingTask, Uint8Array | undefined>({
  run: (task) => (task.kind === 'smaller picture' ? resizeToWebp(task.bytes, task.width) : drawSocialCard(task.card)),
})
