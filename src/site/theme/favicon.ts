import type { Favicon } from '../../contract/site.ts'
import { textColorOn } from '../../render/colors.ts'
import { type Html, attributes, markup } from '../../render/html.ts'
import { logoForTitle } from '../../render/logo.ts'
import { initialOf } from './initial.ts'

/** Settings that determine the favicon of a site. */
interface FaviconSettings {
  favicon: Favicon
  styling: { primaryColor: { light: string } }
}

/** Renders the links to the favicon of a site. Generated icons are data URLs, which need no request. */
export function renderFavicon({ favicon, styling }: FaviconSettings, siteTitle: string): Html {
  if ('icon' in favicon) {
    const { light, dark } = favicon.icon
    if (light === dark) return link({ href: light })
    return markup`${link({ href: light, media: '(prefers-color-scheme: light)' })}${link({ href: dark, media: '(prefers-color-scheme: dark)' })}`
  }
  const drawing =
    'emoji' in favicon
      ? emojiIcon(favicon.emoji)
      : (logoForTitle(siteTitle) ?? letterIcon(siteTitle, styling.primaryColor.light))
  return link({ type: 'image/svg+xml', href: `data:image/svg+xml,${encodeURIComponent(drawing.text)}` })
}

const link = (values: { href: string; media?: string; type?: string }) => markup`<link rel="icon"${attributes(values)}>`

function letterIcon(siteTitle: string, colour: string): Html {
  return markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${colour}"/><text x="16" y="22.5" text-anchor="middle" font-size="18" font-family="Inter,system-ui,sans-serif" font-weight="700" fill="${textColorOn(colour)}">${initialOf(siteTitle)}</text></svg>`
}

/** Renders an emoji given as characters or as hyphenated hexadecimal code points such as `1f680`. */
function emojiIcon(emoji: string): Html {
  const numbers = emoji.split('-')
  const isNumbers = numbers.every(
    (number) => /^[0-9a-f]{4,6}$/i.test(number) && Number.parseInt(number, 16) <= 0x10ffff,
  )
  const characters = isNumbers ? String.fromCodePoint(...numbers.map((number) => Number.parseInt(number, 16))) : emoji
  return markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><text x="16" y="26" text-anchor="middle" font-size="27">${characters}</text></svg>`
}
