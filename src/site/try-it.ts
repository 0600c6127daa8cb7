import type { TryItSupport } from '../render/openapi/try-it.ts'
import { assets } from './assets.ts'

/** Maximum number of origins in the Content-Security-Policy of a page. */
const maxOrigins = 50

/** Collects the origins to which the try-it panels of a page send requests. */
export class TryItPage {
  readonly #assetsHref: string
  readonly #origins = new Set<string>()
  #hasTexts = false

  /** `assetsHref` is the URL of the assets with a trailing slash. */
  constructor(assetsHref: string) {
    this.#assetsHref = assetsHref
  }

  get origins(): readonly string[] {
    return [...this.#origins]
  }

  /** Returns the data for the panels of the operations of a document. */
  supportFor(document: string, proxy?: TryItSupport['proxy']): TryItSupport {
    return {
      script: this.#assetsHref + assets.tryIt.name,
      styles: this.#assetsHref + assets.tryItStyles.name,
      document,
      proxy,
      allowOrigins: (origins) => {
        for (const origin of origins) if (this.#origins.size < maxOrigins) this.#origins.add(origin)
      },
      needsTexts: () => {
        const isFirst = !this.#hasTexts
        this.#hasTexts = true
        return isFirst
      },
    }
  }
}
