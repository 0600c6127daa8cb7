import { z } from 'zod'
import { operation } from './operation.ts'

const described = {
  title: z.string(),
  site: z.string().describe('Name of the website, or else its host'),
  icon: z.string().optional().describe('URL of the icon of the website'),
}

export const Embed = z
  .discriminatedUnion('type', [
    z.object({ ...described, type: z.literal('link') }).strict(),
    z
      .object({
        ...described,
        type: z.literal('rich'),
        html: z.string().describe('Sandboxed frame with the player of the website'),
      })
      .strict(),
  ])
  .meta({ id: 'Embed' })
export type Embed = z.infer<typeof Embed>

const EmbedQuery = z.object({
  url: z.string().min(1).max(4096).describe('Absolute HTTP or HTTPS URL of a page or file'),
})

const description =
  'Returns the title, website, icon and player of a URL of another website. `rich` is returned for websites with a supported ' +
  'player, `link` for all others. The website is contacted unless the result is stored: data is stored for 24 hours, and a result ' +
  'without data for 10 minutes. Private addresses return 404.'

export const embeds = {
  getEmbedByUrl: operation({
    method: 'GET',
    path: '/urls/embed',
    summary: 'Resolve a URL to an embed',
    description,
    access: 'user',
    scope: 'space:read',
    query: EmbedQuery,
    reply: Embed,
    errors: [404],
  }),
  getEmbedByUrlInSpace: operation({
    method: 'GET',
    path: '/spaces/{spaceId}/embed',
    summary: 'Resolve a URL in a space to an embed',
    description,
    access: 'space:visit',
    scope: 'space:read',
    query: EmbedQuery,
    reply: Embed,
    errors: [404],
  }),
}
