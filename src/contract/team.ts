import { z } from 'zod'
import { Count, Id, Timestamp } from './shared.ts'

export const TeamRole = z.enum(['owner', 'member']).describe('Owners manage the members of the team')
export type TeamRole = z.infer<typeof TeamRole>

export const Team = z
  .object({
    object: z.literal('team'),
    id: Id,
    title: z.string(),
    members: Count.describe('Number of members'),
    spaces: Count.describe('Number of spaces shared with the team'),
    createdAt: Timestamp,
    permissions: z.object({ admin: z.boolean(), view: z.boolean() }),
  })
  .meta({ id: 'Team' })
export type Team = z.infer<typeof Team>
