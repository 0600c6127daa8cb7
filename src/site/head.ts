import type { Document } from '../content/document/nodes.ts'
import { nothing } from '../render/html.ts'
import type { ShownFile } from '../render/setting.ts'
import type { PageHead } from '../render/shell/parts.ts'
import type { Surroundings } from './page.ts'
import type { PlacedPage } from './view.ts'

/** What is told about a page to those who do not look at it: search engines, previews of links, readers of feeds. */
export async function headOf(
  { space }: Surroundings,
  { page, address }: PlacedPage,
  _shown: { cover: ShownFile | undefined; document: Document },
): Promise<PageHead> {
  const { site } = space.site.entered
  return {
    title: page.title,
    description: page.description,
    canonicalUrl: address,
    isIndexed: site.visibility === 'public' && page.noRobotsIndex !== true && page.noIndex !== true,
    more: nothing,
  }
}
