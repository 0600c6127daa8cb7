import type { RawInput } from './validate.ts'

/** Returns the tags by which a front end invalidates a cached reply. */
export function cacheTagsOf({ params, query, body }: Pick<RawInput, 'params' | 'query' | 'body'>): string[] {
  const { spaceId, changeRequestId, siteId } = params as Record<string, string | undefined>
  const space = isId(spaceId) ? [`space:${spaceId}`] : []
  const changeRequest =
    isId(spaceId) && isId(changeRequestId) ? [`space:${spaceId}:change-request:${changeRequestId}`] : []
  const site = isId(siteId) ? [`site:${siteId}`] : []
  return [...space, ...changeRequest, ...site, ...hostTags(query, body)]
}

const isId = (text: string | undefined): text is string => text !== undefined && /^[\w-]{1,100}$/.test(text)

/** Returns the tag of the host, for operations that resolve an address. */
function hostTags(query: RawInput['query'], body: unknown): string[] {
  const inBody = typeof body === 'object' && body !== null && 'url' in body ? body.url : undefined
  const url = inBody ?? query['url']?.[0]
  return typeof url === 'string' && URL.canParse(url) ? [`url:${new URL(url).hostname}`] : []
}
