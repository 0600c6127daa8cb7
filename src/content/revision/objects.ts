import type { ColorName, ComputedSource, ContentRef, Document, FileRef } from '../document/nodes.ts'
import type { Sequence, SequenceNode } from './sequence.ts'

// The content of a space is a tree of immutable objects. Each object is stored under the hash of its canonical JSON and refers to
// other objects by hash, so objects with equal hashes have equal content and need not be traversed.

export type PageType = 'document' | 'group' | 'link' | 'computed'

/** A page in the list of its parent. */
export interface PageEntry {
  id: string
  slug: string
  type: PageType
  hash: string
  /** Number of levels of pages below it; absent if there are none. */
  levels?: number
  /** Whether the page, or a page below it, has content that is computed from a source. */
  hasComputed?: true
}

/** The parent of a page; null at the top level. */
export interface ParentEntry {
  id: string
  parent: string | null
}

/** A file or reusable content, found by its id. */
export interface ItemEntry {
  id: string
  hash: string
}

/** A step of the path that a page had before it, or a page below it, was moved or renamed. */
export interface FormerPath {
  /** Id of the former parent (empty at the top level), a slash, and the former slug in lower case. */
  id: string
  page: string
}

/** A redirect to a page from a path that no page had, imported from a repository. */
export interface Redirect {
  /** The path, in lower case. */
  id: string
  page: string
  anchor?: string
}

export type VariableValue = string | number | boolean
export type Variables = Readonly<Record<string, VariableValue>>

export const layoutParts = [
  'title',
  'description',
  'tableOfContents',
  'outline',
  'pagination',
  'metadata',
  'tags',
  'actions',
  'anchors',
] as const

export type PageLayout = {
  width?: 'default' | 'wide'
  cover?: boolean
  coverSize?: 'hero' | 'full' | 'background'
  coverMask?: 'none' | 'radial'
} & { [Part in (typeof layoutParts)[number]]?: boolean }

export interface PageCover {
  ref?: FileRef
  refDark?: FileRef
  textColor?: 'black' | 'white'
  textColorDark?: 'black' | 'white'
  yPos: number
  height?: number
}

/** Properties of a page except its position and its document. */
export interface PageFields {
  title: string
  linkTitle?: string
  emoji?: string
  icon?: string
  description?: string
  hidden?: boolean
  noIndex?: boolean
  noRobotsIndex?: boolean
  condition?: string
  layout?: PageLayout
  cover?: PageCover
  tags?: readonly { tag: string; primary?: boolean }[]
  variables?: Variables
  metaLinks?: { canonical?: ContentRef; alternates?: readonly ContentRef[] }
  /** Target of a link page. */
  target?: ContentRef
  /** Source of the pages that replace a computed page, or of content that is added to a page with a document. */
  computed?: ComputedSource
}

/** Returns the title of a page for navigation, lists and links. */
export const navigationTitleOf = ({ linkTitle, title }: Pick<PageFields, 'title' | 'linkTitle'>): string =>
  linkTitle ?? title

export interface PageObject extends PageFields {
  kind: 'page'
  /** Hash of the document. */
  document?: string
  createdAt: string
  updatedAt: string
  pages: Sequence<PageEntry>
}

export interface FileObject {
  kind: 'file'
  name: string
  contentType: string
  size: number
  /** Hash of the bytes. */
  blob: string
  dimensions?: { width: number; height: number }
}

export interface ReusableContentObject {
  kind: 'reusable-content'
  title: string
  document: string
}

export interface DocumentObject {
  kind: 'document'
  document: Document
}

export interface TagDefinition {
  label: string
  color?: ColorName | (string & {})
  emoji?: string
  icon?: string
}

/** The root of a revision's content. */
export interface Root {
  kind: 'root'
  pages: Sequence<PageEntry>
  /** Parent of every page, sorted by page id. */
  parents: Sequence<ParentEntry>
  files: Sequence<ItemEntry>
  reusableContents: Sequence<ItemEntry>
  formerPaths: Sequence<FormerPath>
  redirects?: Sequence<Redirect>
  /** Whether any page has content that is computed from a source. */
  hasComputed?: true
  variables: Variables
  /** Definitions by slug. */
  tags: Readonly<Record<string, TagDefinition>>
}

/** The text of a file as it was imported or exported. */
export interface SourceObject {
  kind: 'source'
  text: string
}

/** A file that content was imported from or exported to. */
export interface ListedFile {
  /** Path of the file. */
  id: string
  /** Git object id of the file; empty if the file is listed in the table of contents but does not exist. */
  oid: string
  /** Hash of its source, if it has a text. */
  hash?: string
  is: 'page' | 'file' | 'reusable-content' | 'summary' | 'config' | 'variables' | 'tags'
  /** Id of the page, file or reusable content. */
  item?: string
  /** Whether the file does not contain the title of its page. */
  isUntitled?: true
  /** Names of the targets of its relative links, whether they exist or not; see `nameOf`. */
  targets?: readonly string[]
  problems?: readonly { line?: number; message: string }[]
}

/** The files that the content of a root was imported from or exported to. */
export interface Listing {
  kind: 'listing'
  /** Folder of the repository that contains the files, empty at its top level; absent if the files are not in a repository. */
  directory?: string
  /** Folder of the content within `directory`, empty at the top level. Paths of files are relative to it. */
  folder: string
  /** Configuration file that defines `folder`; its path is relative to `directory`. */
  config?: ListedFile
  files: Sequence<ListedFile>
  /** Path of every page, file and reusable content, sorted by id. */
  items: Sequence<{ id: string; path: string }>
  /** Fingerprint of the page structure: if two are equal, their pages need not be compared one by one. */
  structure: string
  /** Version of the importer that read all of the files; absent if they were imported before versions were stored. */
  version?: number
}

export type StoredObject =
  | Root
  | PageObject
  | FileObject
  | ReusableContentObject
  | DocumentObject
  | SourceObject
  | Listing
  | SequenceNode

export type ObjectOf<Kind extends StoredObject['kind']> = Extract<StoredObject, { kind: Kind }>

export interface ObjectReadOptions {
  /** Whether to leave the objects out of the cache, because a traversal of all content rarely reads an object twice. */
  skipCache?: boolean
}

/** Error for an object that is not stored. */
export class MissingObjectError extends Error {}

/** Storage of objects. A written object can be read immediately; it is persisted when the caller requests it. */
export interface Objects {
  /** Returns the objects with these hashes, in the same order. */
  read(hashes: readonly string[], options?: ObjectReadOptions): Promise<readonly StoredObject[]>
  /** Writes an object and returns its hash. */
  write(object: StoredObject): string
  /** Writes a document object whose canonical JSON already exists and returns its hash. */
  writeCanonical(json: string): string
}

/** Returns objects of one kind, in the order of their hashes. */
export async function readObjects<Kind extends StoredObject['kind']>(
  objects: Objects,
  kind: Kind,
  hashes: readonly string[],
  options?: ObjectReadOptions,
): Promise<ObjectOf<Kind>[]> {
  if (hashes.length === 0) return []
  const found = await objects.read(hashes, options)
  return found.map((object, index) => {
    if (object.kind !== kind) throw new Error(`${hashes[index]} is a ${object.kind} and not a ${kind}`)
    return object as ObjectOf<Kind>
  })
}

export async function readObject<Kind extends StoredObject['kind']>(
  objects: Objects,
  kind: Kind,
  hash: string,
): Promise<ObjectOf<Kind>> {
  return (await readObjects(objects, kind, [hash]))[0] as ObjectOf<Kind>
}

export const emptyRoot: Root = {
  kind: 'root',
  pages: { level: 0, entries: [] },
  parents: { level: 0, entries: [] },
  files: { level: 0, entries: [] },
  reusableContents: { level: 0, entries: [] },
  formerPaths: { level: 0, entries: [] },
  variables: {},
  tags: {},
}
