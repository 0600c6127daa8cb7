import type { ContentRef, FileRef } from '../content/document/nodes.ts'
import type { Changes } from './changes.ts'
import type { Html } from './html.ts'
import type { Texts } from './texts.ts'

/** Where something is found that content points at. */
export interface LinkTarget {
  /** Not there for what has a name but no page, such as people. */
  href: string | undefined
  title: string
  description?: string | undefined
  icon?: string | undefined
  emoji?: string | undefined
  /** Whether it lies on another site. */
  isExternal: boolean
}

/** A file as it is shown. */
export interface ShownFile {
  url: string
  name: string
  contentType?: string | undefined
  size?: number | undefined
  dimensions?: { width: number; height: number } | undefined
  /** Where it is found in a smaller width, for pictures of ours. */
  sized?: ((width: number) => string) | undefined
}

/** A tag as it is shown. */
export interface ShownTag {
  label: string
  color?: string | undefined
  emoji?: string | undefined
  icon?: string | undefined
}

/** Everything that a document needs from around it to be shown; all of it was looked up before. */
export interface Setting {
  texts: Texts
  /** Undefined when it is not there, or not for this reader. */
  linkTo(ref: ContentRef): LinkTarget | undefined
  file(ref: FileRef): ShownFile | undefined
  /** Whether a picture is the first one of the page, which is loaded at once; asked for each, in their order. */
  isFirstPicture?(): boolean
  tag(slug: string): ShownTag | undefined
  /** The lines of a code, coloured; undefined when nothing is known of its language. */
  highlighted(code: string, syntax: string | undefined): readonly Html[] | undefined
  math(formula: string, isBlock: boolean): Html
  /** `nothing` for an icon that is unknown. */
  icon(name: string): Html
  /** A day as people write it. */
  date(text: string, format: 'full' | 'short' | 'numeric'): string
  /** A number as people write it. */
  number?(value: number): string
  /** Where a search for something leads, where there is one. */
  searchFor?(query: string): string
  /** Where the updates of the page are found as a feed; told to the first who asks, as there is one for all of them. */
  feedHref?(): string | undefined
  /** Where a question can be taken to. */
  assistants?(question: string): readonly { name: string; href: string }[]
  /** Where the script is found that draws diagrams; whoever asks needs it. */
  mermaidScript(): string
  /** Whether headings offer their addresses; they do unless said. */
  hasAnchors?: boolean
  /** Whether links are marked whose target does not exist, for those who can edit them; otherwise only their text is shown. */
  marksBrokenLinks?: boolean
  /** Where links to other sites open. */
  opensExternalIn: 'self' | 'blank'
  /** What to mark, when a document is compared with an earlier one. */
  changes?: Changes | undefined
  /** Makes ids within one page that no two things share. */
  newId(prefix: string): string
}
