/** The root of a revision's content: what a space holds, each part by the hash of its own object. */
export interface Root {
  kind: 'root'
  pages: readonly PageEntry[]
  files: Readonly<Record<string, string>>
  reusableContents: Readonly<Record<string, string>>
  variables: Readonly<Record<string, string>>
  tags: Readonly<Record<string, string>>
}

/** A page in the list of its parent. */
export interface PageEntry {
  id: string
  slug: string
  type: 'document' | 'group' | 'link' | 'computed'
  hash: string
}

export const emptyRoot: Root = { kind: 'root', pages: [], files: {}, reusableContents: {}, variables: {}, tags: {} }
