import { emojiCharacters } from '../content/document/text.ts'
import { PdfBlocks } from './blocks.ts'
import { PdfContext } from './pdf-context.ts'
import { colorOrNone, renderHighlightedLines, renderTokenColors } from './code.ts'
import type { PdfCode, PdfImage, PdfPage, PdfSource } from './source.ts'
import { template } from './template.ts'
import { Typst, typst, typstArray } from './typst.ts'

/** Typst source of a PDF, with the images and the code that it contains. */
export interface TypesetDocument {
  print(options: PrintOptions): string
  images: readonly { name: string; image: PdfImage }[]
  codes: readonly PdfCode[]
}

export interface PrintOptions {
  /** Names of images that cannot be decoded; they are replaced with their descriptions. */
  brokenImages: readonly string[]
  /** Highlighted lines of each item of `codes` as HTML; null for code that is printed in one color. */
  highlightedCode: readonly (readonly string[] | null)[]
}

/** Font families that are tried after those of the site; the last one is part of the compiler. */
const fallbackFonts = ['Inter', 'Noto Sans', 'DejaVu Sans', 'Liberation Sans', 'Libertinus Serif']

/** Converts the data of a PDF to Typst. */
export function generateDocument(source: PdfSource): TypesetDocument {
  const context = new PdfContext(source)
  const logo = source.logo === undefined ? undefined : context.useImage(source.files[source.logo] ?? {})
  const blocks = new PdfBlocks(context)
  const pages = source.pages.map((page) => renderPage(page, context, blocks))
  const isBook = source.pages.length > 1
  const body = [...(isBook ? [typst`title-page()`] : []), ...(isBook ? [typst`contents()`] : []), ...pages]
  const settings = ({ brokenImages }: PrintOptions): readonly [name: string, value: Typst][] => [
    ['doc-title', typst`${source.title}`],
    ['doc-subtitle', typst`${source.subtitle}`],
    ['doc-date', typst`${source.date}`],
    ['doc-language', typst`${languageOf(source.language)}`],
    ['doc-direction', source.direction === 'rtl' ? typst`rtl` : typst`ltr`],
    ['doc-fonts', typstArray([...source.fonts, ...fallbackFonts])],
    ['accent', typst`rgb(${/^#[0-9a-f]{6}$/i.test(source.color) ? source.color : '#346ddb'})`],
    ['logo', typst`${logo}`],
    ['contents-title', typst`${source.texts.contents}`],
    ['broken-images', typstArray(brokenImages)],
    ['code-background', colorOrNone(source.code.background)],
    ['code-color', colorOrNone(source.code.text)],
    ['token-colors', renderTokenColors(source.code)],
  ]
  const text = body.map(({ code }) => `#${code}`).join('\n')
  return {
    images: context.images,
    codes: context.codes,
    print: (options) =>
      `${settings(options)
        .map(([name, { code }]) => `#let ${name} = ${code}`)
        .join('\n')}\n${template}\n${printCodes(context.codes, options)}\n${text}\n`,
  }
}

const printCodes = (codes: readonly PdfCode[], { highlightedCode }: PrintOptions): string =>
  `#let codes = ${typstArray(codes.map((_, index) => renderHighlightedLines(highlightedCode[index] ?? null))).code}`

/** Maximum depth of a page in the bookmarks. */
const maxPageDepth = 5

/** Renders a page in a scope of its own, because its running head contains its title. */
function renderPage(page: PdfPage, context: PdfContext, blocks: PdfBlocks): Typst {
  const label = context.beginPage(page.id)
  const level = Math.min(page.depth, maxPageDepth) + 1
  blocks.titleLevel = level
  const emoji = page.emoji === undefined ? '' : emojiCharacters(page.emoji)
  const title = emoji === '' ? page.title : `${emoji} ${page.title}`
  const parts = [
    typst`page-title(${label}, ${level}, ${title}, ${page.description || undefined})`,
    ...blocks.renderAll(page.document?.nodes ?? []),
  ]
  const body = parts.map(({ code }) => `#${code}`).join('\n')
  return new Typst(`[\n#set page(header: ${typst`running-head(${page.title})`.code})\n${body}\n]`)
}

/** Returns the primary part of a language code, which the compiler uses for quotes and line breaks. */
const languageOf = (language: string): string => /^[a-z]{2,3}(?![a-z])/i.exec(language)?.[0].toLowerCase() ?? 'en'
