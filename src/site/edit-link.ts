import type { Link } from '../render/shell/parts.ts'
import type { Surroundings } from './page.ts'
import type { PlacedPage } from './view.ts'

/** Where a page is edited in the repository that its space lies in. */
export async function editLinkOf(_surroundings: Surroundings, _placed: PlacedPage): Promise<Link | undefined> {
  return undefined
}
