import { isInline, readInline } from './inline-pictures.ts'

/** Turns what a page says of addresses into absolute ones. */
export class PageAddresses {
  readonly #base: string

  constructor(url: string, base: string | undefined) {
    this.#base = (base !== undefined && absolute(base, url)) || url
  }

  /** Where a link leads, with its fragment; undefined when that is no place to go to. */
  link(href: string | undefined): string | undefined {
    const url = absolute(href, this.#base)
    return url !== undefined && /^(?:https?|mailto|tel):/.test(url) ? url : undefined
  }

  /** The address of a page, without a fragment. */
  page(href: string | undefined): string | undefined {
    const url = absolute(href, this.#base)
    return url !== undefined && /^https?:/.test(url) ? withoutFragment(url) : undefined
  }

  /** The address of a picture, of the original where the page shows one that a service made smaller. */
  image(src: string | undefined): string | undefined {
    if (src && isInline(src)) return readInline(src)?.address
    const url = this.page(src)
    if (url === undefined) return undefined
    const { pathname, searchParams } = new URL(url)
    const original = /\/(?:~gitbook|_next)\/image$/.test(pathname) ? searchParams.get('url') : null
    return original === null ? url : (this.page(original) ?? url)
  }
}

export const withoutFragment = (url: string) => url.replace(/#.*$/s, '')

/** More than any browser takes. */
const maxLength = 4000

function absolute(href: string | undefined, base: string): string | undefined {
  if (href === undefined || href.length > maxLength) return undefined
  return URL.parse(href.trim(), base)?.href
}
