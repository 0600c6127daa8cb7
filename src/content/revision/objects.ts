import type { ColorName, ContentRef, Document, FileRef } from '../document/nodes.ts'
import type { Sequence, SequenceNode } from './sequence.ts'

// What a space contains is a tree of immutable objects. Each is stored under the hash of its canonical text and names
// others by their hashes, so that equal hashes mean equal content all the way down and are never walked.

export type PageType = 'document' | 'group' | 'link' | 'computed'

/** A page in the list of its parent. */
export interface PageEntry {
  id: string
  slug: string
  type: PageType
  hash: string
  /** How many levels of pages are below it, when there are any. */
  levels?: number
}

/** Where a page stands: under another page, or at the top. */
export interface ParentEntry {
  id: string
  parent: string | null
}

/** Something that is found by its id. */
export interface NamedEntry {
  id: string
  hash: string
}

/** A step of a path that led to a page before it, or one below it, was moved or renamed. */
export interface FormerPath {
  /** The page that it stood in, and its slug there. */
  id: string
  page: string
}

/** A path that leads to a page although none was ever there: told by a repository. */
export interface Redirect {
  /** The path, in lower case. */
  id: string
  page: string
  anchor?: string
}

export type Scalar = string | number | boolean
export type Variables = Readonly<Record<string, Scalar>>

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

export interface ComputedSource {
  type: string
  props: Readonly<Record<string, unknown>>
  dependencies: Readonly<Record<string, { ref: ContentRef }>>
}

/** What can be said of a page besides its place and its body. */
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
  /** What a link page leads to. */
  target?: ContentRef
  /** What a computed page is made from. */
  computed?: ComputedSource
}

/** The title of a page in navigation, lists and links to it. */
export const labelOf = ({ linkTitle, title }: Pick<PageFields, 'title' | 'linkTitle'>): string => linkTitle ?? title

export interface PageObject extends PageFields {
  kind: 'page'
  /** The hash of the body. */
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
  /** The hash of the bytes. */
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
  /** The parent of every page, by page. */
  parents: Sequence<ParentEntry>
  files: Sequence<NamedEntry>
  reusableContents: Sequence<NamedEntry>
  formerPaths: Sequence<FormerPath>
  redirects?: Sequence<Redirect>
  variables: Variables
  /** By slug. */
  tags: Readonly<Record<string, TagDefinition>>
}

/** The text of a file as it was written. */
export interface SourceObject {
  kind: 'source'
  text: string
}

/** A file that content came from. */
export interface ListedFile {
  /** Its path. */
  id: string
  /** The id that Git gives to its bytes; empty when the file is named but not there. */
  oid: string
  /** The hash of its text, when it has one. */
  hash?: string
  is: 'page' | 'file' | 'reusable-content' | 'summary' | 'config' | 'variables' | 'tags'
  /** The id of the page, file or reusable content. */
  item?: string
  /** It does not say the title of its page. */
  isUntitled?: true
  /** What its relative links name, whether that is there or not; see `nameOf`. */
  targets?: readonly string[]
  problems?: readonly { line?: number; message: string }[]
}

/** Which files the content of a root came from, or went to. */
export interface Listing {
  kind: 'listing'
  /** The folder of the repository that all else is seen from, empty at its top; left out when it is no repository. */
  directory?: string
  /** The folder that the content lies in, which all paths are seen from; empty at the top. */
  folder: string
  /** The file that says so; its path is seen from the top. */
  config?: ListedFile
  files: Sequence<ListedFile>
  /** The path of every page, file and reusable content, by its id. */
  items: Sequence<{ id: string; path: string }>
  /** Tells structures apart: equal ones need not be compared page by page. */
  structure: string
  /** The version of the importer that read all of the files; without it, an importer before versions were stored. */
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

export interface ReadOptions {
  /** Whoever walks through everything will not soon ask for the same again. */
  inPassing?: boolean
}

/** Where objects are kept. What is written can be read at once, and is kept for good when the caller says so. */
export interface Objects {
  /** The objects with these hashes, in this order. */
  read(hashes: readonly string[], options?: ReadOptions): Promise<readonly StoredObject[]>
  /** Takes an object in, and tells its hash. */
  write(object: StoredObject): string
  /** Takes in a document of which the canonical JSON exists already, and returns its hash. */
  writeCanonical(json: string): string
}

/** Objects of one kind, in the order of their hashes. */
export async function readObjects<Kind extends StoredObject['kind']>(
  objects: Objects,
  kind: Kind,
  hashes: readonly string[],
  options?: ReadOptions,
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
