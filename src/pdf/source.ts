import type { ContentRef, Document, FileRef } from '../content/document/nodes.ts'

// The data that a PDF is made from. It is JSON and contains only what the reader may see.

/** Changes when the same data results in another PDF, so that cached ones are not used. */
export const pdfVersion = 1

export interface PdfSource {
  version: typeof pdfVersion
  title: string
  /** Name of the owner of the content, for example the title of the site. */
  subtitle?: string | undefined
  /** Date of the content, formatted. */
  date?: string | undefined
  /** Language code, such as `en`. */
  language: string
  direction: 'ltr' | 'rtl'
  /** Color of headings, links and lines, such as `#346ddb`. */
  color: string
  code: PdfCodeColors
  /** Names of font families in order of preference. */
  fonts: readonly string[]
  /** Key of the logo in `images`. */
  logo?: string | undefined
  texts: PdfTexts
  pages: readonly PdfPage[]
  /** Targets of references by `refKeyOf`; a reference without one is shown as text. */
  targets: Readonly<Record<string, PdfTarget>>
  /** Files by `refKeyOf`. */
  files: Readonly<Record<string, PdfFile>>
  /** Labels of tags by slug. */
  tags: Readonly<Record<string, string>>
}

/** Colors of code blocks, such as `#346ddb`; without a background, the default ones are used. */
export interface PdfCodeColors {
  background?: string | undefined
  text?: string | undefined
  /** Colors by the class of the token. */
  tokens: Readonly<Record<string, string>>
}

/** Words that are not part of the content, in its language. */
export interface PdfTexts {
  contents: string
  notShown: string
  hints: Readonly<Record<'info' | 'success' | 'warning' | 'danger', string>>
}

export interface PdfPage {
  id: string
  title: string
  description?: string | undefined
  emoji?: string | undefined
  /** Number of ancestors in the PDF. */
  depth: number
  /** Evaluated document with anchor ids; absent for a group. */
  document?: Document | undefined
}

/** Target of a reference: a page of the PDF, or a URL. */
export interface PdfTarget {
  title: string
  page?: string | undefined
  /** Anchor on the page. */
  anchor?: string | undefined
  url?: string | undefined
}

export interface PdfFile {
  name: string
  url?: string | undefined
  size?: number | undefined
  image?: PdfImage | undefined
  dimensions?: { width: number; height: number } | undefined
}

/** Image that can be shown: a file of this server by the hash of its bytes, or an image on another server by its URL. */
export type PdfImage = { blob: string; contentType: string } | { url: string }

/** Code in a language. */
export interface PdfCode {
  text: string
  syntax: string
}

/** Returns the key of a reference in `targets` and `files`. */
export const refKeyOf = (ref: ContentRef | FileRef): string =>
  JSON.stringify(Object.entries(ref).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** Types of images that are shown; others are links. */
export const imageTypes: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/svg+xml',
])
