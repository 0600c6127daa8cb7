import type { Embed } from '../../contract/embeds.ts'
import type { EmbedData } from '../../embeds/fetch-embed.ts'
import { renderPlayerHtml } from '../../embeds/player-html.ts'

/** Presents the data of a URL. The HTML is made here and contains nothing of the website but ids of a supported player. */
export function presentEmbed(url: string, { title, site, icon, player }: EmbedData): Embed {
  const described = { title, site, ...(icon !== undefined && { icon }) }
  const html = renderPlayerHtml(url, title) ?? (player && renderPlayerHtml(player, title))
  return html ? { ...described, type: 'rich', html } : { ...described, type: 'link' }
}
