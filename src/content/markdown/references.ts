import type { ContentRef, FileRef } from '../document/nodes.ts'

/** Resolves destinations in a file to references, and back. The caller provides the tree that paths are relative to. */
export interface References {
  /** Resolves a destination to a reference. */
  resolve(destination: string): ContentRef
  /** Prints a reference as a destination. */
  print(reference: ContentRef): string
  /** Returns a placeholder for a destination that is resolved later; `kind` determines how it is resolved. */
  defer?: (kind: DestinationKind, destination: string) => string
}

/** Kind of place that contains a destination: files are stored as references or, in table cells, by id, like users. */
export type DestinationKind = 'reference' | 'file reference' | 'file' | 'user'

/** Keeps destinations as they are, for texts outside of a tree. */
export const verbatimReferences: References = {
  resolve: (destination) => parseStableDestination(destination) ?? { kind: 'url', url: destination },
  print: printStableDestination,
}

const stableDestinations: [RegExp, (parts: Record<string, string>) => ContentRef][] = [
  [
    /^(?:\/spaces\/(?<space>[\w-]+))?\/pages\/(?<page>[\w-]+)#(?<anchor>[^\s#]+)$/,
    ({ page, anchor, space }) => ({
      kind: 'anchor',
      anchor: anchor as string,
      page: page as string,
      ...(space && { space }),
    }),
  ],
  [
    /^(?:\/spaces\/(?<space>[\w-]+))?\/pages\/(?<page>[\w-]+)$/,
    ({ page, space }) => ({ kind: 'page', page: page as string, ...(space && { space }) }),
  ],
  [/^#(?<anchor>[^\s#]+)$/, ({ anchor }) => ({ kind: 'anchor', anchor: anchor as string })],
  [
    /^(?:\/spaces\/(?<space>[\w-]+))?\/files\/(?<file>[\w-]+)$/,
    ({ file, space }) => ({ kind: 'file', file: file as string, ...(space && { space }) }),
  ],
  [
    /^(?:\/spaces\/(?<space>[\w-]+))?\/reusable-content\/(?<content>[\w-]+)$/,
    ({ content, space }) => ({ kind: 'reusable-content', reusableContent: content as string, ...(space && { space }) }),
  ],
  [
    /^(?:\/spaces\/(?<space>[\w-]+))?\/tags\/(?<tag>[\w-]+)$/,
    ({ tag, space }) => ({ kind: 'tag', tag: tag as string, ...(space && { space }) }),
  ],
  [/^\/spaces\/(?<space>[\w-]+)$/, ({ space }) => ({ kind: 'space', space: space as string })],
  [
    /^\/collections\/(?<collection>[\w-]+)$/,
    ({ collection }) => ({ kind: 'collection', collection: collection as string }),
  ],
  [/^\/users\/(?<user>[\w-]+)$/, ({ user }) => ({ kind: 'user', user: user as string })],
  [/^\/openapi\/(?<spec>[\w-]+)$/, ({ spec }) => ({ kind: 'openapi', spec: spec as string })],
]

/** Parses a destination in the stable form, which identifies things by id; undefined if it is in another form. */
export function parseStableDestination(destination: string): ContentRef | undefined {
  for (const [pattern, make] of stableDestinations) {
    const match = pattern.exec(destination)
    if (match) return make(match.groups ?? {})
  }
  return undefined
}

/**
 * Whether a destination is one that GitBook exports for a link to deleted content: `/broken/pages/<id>`, `/broken/files/<id>`,
 * `/broken/spaces/<id>/pages/<id>`, or `broken-reference`.
 */
export const isDeletedTarget = (destination: string): boolean =>
  /^(?:\/broken\/[a-z-]+\/[^/]|(?:\.{1,2}\/)*broken-reference(?:[/#?]|$))/.test(destination)

/** Whether a destination is a path, as opposed to a URL with a protocol or a host. */
export const isPath = (destination: string): boolean => !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(destination)

/** Prints a reference in the stable form. */
export function printStableDestination(reference: ContentRef): string {
  const spacePrefix = 'space' in reference && reference.space !== undefined ? `/spaces/${reference.space}` : ''
  switch (reference.kind) {
    case 'url':
      return reference.url
    case 'page':
      return `${spacePrefix}/pages/${reference.page}`
    case 'anchor':
      return reference.page === undefined
        ? `#${reference.anchor}`
        : `${spacePrefix}/pages/${reference.page}#${reference.anchor}`
    case 'file':
      return `${spacePrefix}/files/${reference.file}`
    case 'reusable-content':
      return `${spacePrefix}/reusable-content/${reference.reusableContent}`
    case 'tag':
      return `${spacePrefix}/tags/${reference.tag}`
    case 'space':
      return spacePrefix
    case 'collection':
      return `/collections/${reference.collection}`
    case 'user':
      return `/users/${reference.user}`
    case 'openapi':
      return `/openapi/${reference.spec}`
  }
}

/** Resolves a destination to a file; any other target is stored as a URL. */
export function resolveFileRef(references: References, destination: string): FileRef {
  if (references.defer) return { kind: 'url', url: references.defer('file reference', destination) }
  const reference = references.resolve(destination)
  return reference.kind === 'file' || reference.kind === 'url' ? reference : { kind: 'url', url: destination }
}

// Table cells store the ids of files and users. Other targets are stored by their URL or path.

const isId = (text: string) => /^[\w-]+$/.test(text)

/** Returns a destination that cannot be mistaken for an id. */
const escapeIdLike = (destination: string) => (isId(destination) ? `./${destination}` : destination)

/** Returns the value of a cell of files for a destination. */
export function resolveFileCell(references: References, destination: string): string {
  if (references.defer) return references.defer('file', destination)
  const reference = references.resolve(destination)
  return reference.kind === 'file' && reference.space === undefined ? reference.file : escapeIdLike(destination)
}

export function printFileCell(references: References, file: string): string {
  return isId(file) ? references.print({ kind: 'file', file }) : file
}

/** Returns the value of a cell of users for a destination. */
export function resolveUserCell(references: References, destination: string): string {
  const gitbookUrl = /^https:\/\/app\.gitbook\.com\/u\/([\w-]+)\/?$/.exec(destination)
  if (gitbookUrl?.[1] !== undefined) return gitbookUrl[1]
  if (references.defer) return references.defer('user', destination)
  const reference = parseStableDestination(destination) ?? references.resolve(destination)
  return reference.kind === 'user' ? reference.user : escapeIdLike(destination)
}

export function printUserCell(references: References, user: string): string {
  return isId(user) ? references.print({ kind: 'user', user }) : user
}
