import { createHash } from 'node:crypto'
import type { ContentRef } from '../content/document/nodes.ts'

/** Target of a link. Targets with equal keys are the same. */
export type LinkTarget =
  | { kind: 'page'; space: string; id: string; anchor?: string }
  | { kind: 'file' | 'reusable-content'; space: string; id: string }
  | { kind: 'space' | 'collection' | 'user' | 'openapi' | 'url'; id: string }

/** Target within the content of a space. */
export type ContentTarget = Extract<LinkTarget, { space: string }>

/** Page or reusable content that contains links. */
export interface LinkSource {
  kind: 'page' | 'reusable-content'
  id: string
}

export const isContentTarget = (target: LinkTarget): target is ContentTarget => 'space' in target

/**
 * Returns the target of a reference in a source of a space; undefined for tags, and for anchors in reusable contents, which
 * are on the page that includes the content.
 */
export function toLinkTarget(ref: ContentRef, spaceId: string, source: LinkSource): LinkTarget | undefined {
  const space = ('space' in ref ? ref.space : undefined) ?? spaceId
  switch (ref.kind) {
    case 'page':
      return { kind: 'page', space, id: ref.page }
    case 'anchor': {
      const page = ref.page ?? (source.kind === 'page' && ref.space === undefined ? source.id : undefined)
      return page === undefined ? undefined : { kind: 'page', space, id: page, anchor: ref.anchor }
    }
    case 'file':
      return { kind: 'file', space, id: ref.file }
    case 'reusable-content':
      return { kind: 'reusable-content', space, id: ref.reusableContent }
    case 'url':
      return { kind: 'url', id: ref.url }
    case 'space':
      return { kind: 'space', id: ref.space }
    case 'collection':
      return { kind: 'collection', id: ref.collection }
    case 'user':
      return { kind: 'user', id: ref.user }
    case 'openapi':
      return { kind: 'openapi', id: ref.spec }
    case 'tag':
      return undefined
  }
}

/** Maximum length in bytes of a part of a key, because PostgreSQL limits the size of index entries. */
const maxPartLength = 300

/** Shortens a long text, or one that databases cannot store, in such a way that different texts remain different. */
function shorten(text: string): string {
  if (Buffer.byteLength(text) <= maxPartLength && text.isWellFormed() && !text.includes('\0')) return text
  const start = text.slice(0, 150).toWellFormed().replaceAll('\0', '')
  return `${start}~${createHash('sha256').update(JSON.stringify(text)).digest('base64url')}`
}

/** Returns the key of a target without its anchor. */
export function subjectOf(target: LinkTarget): string {
  const space = isContentTarget(target) ? `${shorten(target.space)}/` : ''
  return `${target.kind}/${space}${shorten(target.id)}`
}

export function keyOfTarget(target: LinkTarget): string {
  const anchor = target.kind === 'page' && target.anchor !== undefined ? `#${shorten(target.anchor)}` : ''
  return subjectOf(target) + anchor
}

/** Returns the ranges of the subjects that are a space or in it. */
export function rangesOfSpace(id: string): { from: string; to: string }[] {
  const self = subjectOf({ kind: 'space', id })
  const kinds = ['file', 'page', 'reusable-content'] as const
  // `0` is the character after the slash.
  const contents = kinds.map((kind) => ({ from: `${kind}/${shorten(id)}/`, to: `${kind}/${shorten(id)}0` }))
  return [...contents, { from: self, to: `${self}/` }]
}

/** Returns the prefix of the keys of URLs that begin with a text. */
export const urlKeyPrefix = (start: string): string => `url/${start}`

/** Returns the ID of the space or collection that a target is in or is; empty if there is none. */
export function containerOf(target: LinkTarget): string {
  if (isContentTarget(target)) return shorten(target.space)
  return target.kind === 'space' || target.kind === 'collection' ? shorten(target.id) : ''
}

export const keyOfSource = ({ kind, id }: LinkSource): string => `${kind}/${id}`

export function parseSourceKey(key: string): LinkSource {
  const slash = key.indexOf('/')
  return { kind: key.slice(0, slash) as LinkSource['kind'], id: key.slice(slash + 1) }
}
