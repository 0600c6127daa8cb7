import { type EmbedShape, findEmbedPlayer } from '../content/document/embed-players.ts'
import { attributes, markup } from '../render/html.ts'

/** Sizes of the frame, so that the page around it does not move when it loads. */
const sizes: Record<EmbedShape, string> = {
  film: 'aspect-ratio:16/9',
  canvas: 'height:32rem',
  sound: 'height:9.5rem',
}

/** Returns the HTML of a sandboxed frame for a page or its player; undefined if its website is not a supported one. */
export function renderPlayerHtml(url: string, title: string): string | undefined {
  const player = URL.canParse(url) ? findEmbedPlayer(new URL(url)) : undefined
  if (!player) return undefined
  const frame = attributes({
    src: player.url,
    title,
    loading: 'lazy',
    allow: 'fullscreen; encrypted-media; picture-in-picture',
    sandbox: 'allow-scripts allow-same-origin allow-popups allow-presentation',
    referrerpolicy: 'strict-origin-when-cross-origin',
    style: `display:block;width:100%;border:0;${sizes[player.shape]}`,
  })
  return markup`<iframe${frame}></iframe>`.text
}
