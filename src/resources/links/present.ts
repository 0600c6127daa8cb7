import type { ContentLocation } from '../../contract/links.ts'
import type { LinkSource, LinkTarget } from '../../links/link-target.ts'

type VersionContext = Extract<ContentLocation, { kind: 'page' }>['versionContext']

export interface LocationContext {
  organizationId: string
  /** Returns the version of a space that the caller sees; undefined if they cannot see the space. */
  versionOf: (spaceId: string) => VersionContext
}

const presentSpace = ({ organizationId, versionOf }: LocationContext, space: string) => {
  const versionContext = versionOf(space)
  return { organization: organizationId, space, ...(versionContext && { versionContext }) }
}

export function presentTarget(target: LinkTarget, context: LocationContext): ContentLocation {
  const { organizationId: organization } = context
  switch (target.kind) {
    case 'page':
      return {
        kind: 'page',
        ...presentSpace(context, target.space),
        page: target.id,
        ...(target.anchor !== undefined && { internalLocation: { type: 'anchor', anchor: target.anchor } }),
      }
    case 'file':
      return { kind: 'file', ...presentSpace(context, target.space), file: target.id }
    case 'reusable-content':
      return { kind: 'reusable-content', ...presentSpace(context, target.space), reusableContent: target.id }
    case 'space':
      return { kind: 'space', organization, space: target.id }
    case 'collection':
      return { kind: 'collection', organization, collection: target.id }
    case 'user':
      return { kind: 'user', user: target.id }
    case 'openapi':
      return { kind: 'openapi', organization, openAPISpec: target.id }
    case 'url':
      return { kind: 'url', url: target.id }
  }
}

/** Presents the place of a link; `node` is the key of the block that contains it. */
export function presentLocation(
  spaceId: string,
  { kind, id }: LinkSource,
  node: string | undefined,
  context: LocationContext,
): ContentLocation {
  const space = presentSpace(context, spaceId)
  if (kind === 'reusable-content') return { kind, ...space, reusableContent: id }
  return { kind, ...space, page: id, ...(node !== undefined && { internalLocation: { type: 'node', node } }) }
}
