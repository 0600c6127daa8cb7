import type { Block, ContentRef, FileRef } from '../content/document/nodes.ts'
import type { OpenApiSpec } from '../openapi/spec.ts'
import type { DocumentChanges } from './changes.ts'
import type { Html } from './html.ts'
import type { Texts } from './texts.ts'
import type { RenderedSchemas } from './openapi/rendered-schemas.ts'
import type { TryItSupport } from './openapi/try-it.ts'

/** The target of a reference in content. */
export interface LinkTarget {
  /** Missing for targets without a page, such as people. */
  href: string | undefined
  title: string
  description?: string | undefined
  icon?: string | undefined
  emoji?: string | undefined
  /** Whether the target is on another site. */
  isExternal: boolean
}

/** A file that a document shows. */
export interface ResolvedFile {
  url: string
  name: string
  contentType?: string | undefined
  size?: number | undefined
  dimensions?: { width: number; height: number } | undefined
  /** Returns the URL of a smaller version, for images of this server. */
  resizedUrl?: ((width: number) => string) | undefined
}

/** Data of an embed. */
export interface ResolvedEmbed {
  title: string
  /** Name of the website. */
  site: string
  description?: string | undefined
  /** URL of the player, if it cannot be derived from the URL. */
  player?: string | undefined
}

/** A tag with its label and color. */
export interface ResolvedTag {
  label: string
  color?: string | undefined
  emoji?: string | undefined
  icon?: string | undefined
}

/** Data that rendering a document needs from its caller; all lookups were made before. */
export interface RenderContext {
  texts: Texts
  /** Undefined if it does not exist or the reader may not see it. */
  resolveLink(ref: ContentRef): LinkTarget | undefined
  resolveFile(ref: FileRef): ResolvedFile | undefined
  /** Whether an image is the first of the page, which is loaded eagerly. Called once for each image, in order. */
  isFirstPicture?(): boolean
  findTag(slug: string): ResolvedTag | undefined
  /** Returns the stored data about the URL of an embed. */
  findEmbed?(url: string): ResolvedEmbed | undefined
  /** Returns highlighted lines; undefined if the language is unknown. */
  highlighted(code: string, syntax: string | undefined): readonly Html[] | undefined
  renderMath(formula: string, isBlock: boolean): Html
  /** Returns an OpenAPI document; undefined if it does not exist, is invalid or the reader may not see it. */
  openApi?(ref: ContentRef): OpenApiSpec | undefined
  /** Whether an OpenAPI block is shown in full; otherwise only its name is shown. By default all are. */
  showsOpenApiBlock?(block: Block): boolean
  /** Renders a description in an OpenAPI document, which is Markdown. */
  renderMarkdown?(markdown: string): Html
  /** Returns the data for a try-it panel of an operation, given the reference to its document. */
  tryIt?(ref: ContentRef): TryItSupport | undefined
  /** Schemas of API references that the page already contains. */
  renderedSchemas?: RenderedSchemas | undefined
  /** Returns `nothing` for an unknown icon. */
  icon(name: string): Html
  /** Formats a date. */
  formatDate(text: string, format: 'full' | 'short' | 'numeric'): string
  /** Formats a number. */
  formatNumber?(value: number): string
  /** Returns the URL of a search, if the site has one. */
  searchHrefFor?(query: string): string
  /** Returns the URL of the feed of updates once per page, as all blocks share one feed. */
  feedHref?(): string | undefined
  /** Assistants that a question can be opened in. */
  listAssistantLinks?(question: string): readonly { name: string; href: string }[]
  /** Returns the URL of the diagram script; calling it adds the script to the page. */
  mermaidScript(): string
  /** Whether headings have links to themselves; default true. */
  hasAnchors?: boolean
  /** Whether broken links are marked, for previews; otherwise only their text is rendered. */
  marksBrokenLinks?: boolean
  /** Whether links to other sites open in a new tab. */
  externalLinkTarget: 'self' | 'blank'
  /** Whether conditional blocks are shown with their condition, for readers who see all content. */
  marksConditions?: boolean
  /** Returns the key of a block for the attribute `data-block` of its element; without it, elements have no keys. */
  blockKeyOf?(block: Block): string | undefined
  /** Changes to mark, if the document is compared with an earlier one. */
  changes?: DocumentChanges | undefined
  /** Returns ids that are unique within the page. */
  newId(prefix: string): string
}
