import type { Urls } from '../../kernel/context.ts'
import type { SpecRow } from './openapi-store.ts'

/** Returns the URL at which everybody can read a public specification; null if it is private or has no version. */
export function publicUrlOf(
  {
    organization_id,
    slug,
    visibility,
    version_id,
  }: Pick<SpecRow, 'organization_id' | 'slug' | 'visibility' | 'version_id'>,
  urls: Urls,
): string | null {
  return visibility === 'public' && version_id !== null ? urls.plain(`/openapi/${organization_id}/${slug}.json`) : null
}
