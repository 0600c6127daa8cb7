import { createDocument } from '../document/build.ts'
import type { ContentRef, Document } from '../document/nodes.ts'
import { isExpression } from '../expression/index.ts'
import { type PageMetadata, readFrontMatter } from '../markdown/front-matter.ts'
import { parsePage } from '../markdown/parse.ts'
import { printFrontMatter } from '../markdown/print-front-matter.ts'
import { printPage } from '../markdown/print.ts'
import { type References, printStableDestination } from '../markdown/references.ts'
import { splicePage } from '../markdown/splice.ts'
import { type Objects, type PageObject, readObject } from '../revision/objects.ts'
import { relativeLinkPath } from './paths.ts'
import type { ExportFileMap } from './export-file-map.ts'
import { createFileReferences } from './references.ts'

/** Returns functions that resolve and print the link destinations of one file. */
export function createExportReferences(fileMap: ExportFileMap, file: string): References {
  const print = (reference: ContentRef): string => {
    if (reference.kind === 'url') {
      const inside = fileMap.fileUrls?.pathOf(reference.url)
      return inside === undefined ? reference.url : relativeLinkPath(file, inside)
    }
    if ('space' in reference && reference.space !== undefined) return printStableDestination(reference)
    const id = referencedId(reference)
    const path = id === undefined ? undefined : fileMap.pathOf(id)
    if (path === undefined) return printStableDestination(reference)
    const relative = relativeLinkPath(file, path)
    return reference.kind === 'anchor' ? `${relative}#${reference.anchor}` : relative
  }
  return { ...createFileReferences(fileMap, file), print }
}

function referencedId(reference: ContentRef): string | undefined {
  switch (reference.kind) {
    case 'page':
    case 'anchor':
      return reference.page
    case 'file':
      return reference.file
    case 'reusable-content':
      return reference.reusableContent
    default:
      return undefined
  }
}

export async function loadDocument(objects: Objects, hash: string | undefined): Promise<Document> {
  return hash === undefined ? createDocument([]) : (await readObject(objects, 'document', hash)).document
}

/** Returns the properties of a page that are stored in front matter. */
export function metadataOf(page: PageObject): Omit<PageMetadata, 'title'> {
  const {
    icon,
    emoji,
    description,
    hidden,
    noIndex,
    noRobotsIndex,
    condition,
    layout,
    tags,
    variables,
    metaLinks,
    computed,
  } = page
  const { ref, refDark, yPos, height } = page.cover ?? {}
  return {
    ...(description !== undefined && { description }),
    ...(icon !== undefined && { icon }),
    ...(emoji !== undefined && { emoji }),
    ...(hidden !== undefined && { hidden }),
    ...(noIndex !== undefined && { noIndex }),
    ...(noRobotsIndex !== undefined && { noRobotsIndex }),
    ...(condition !== undefined && { condition }),
    ...(ref && {
      cover: { ref, ...(refDark && { refDark }), yPos: yPos ?? 0, ...(height !== undefined && { height }) },
    }),
    ...(layout && { layout }),
    ...(tags && { tags }),
    ...(variables && { variables }),
    ...(metaLinks && { metaLinks }),
    ...(computed && { computed }),
  }
}

/** Prints a page over its source, so that only edited parts change. */
export function printPageFile(
  source: string | undefined,
  page: PageObject,
  document: Document,
  references: References,
  /** Whether a file without a title remains without one, because the table of contents contains it. */
  { keepsUntitled }: { keepsUntitled: boolean },
): string {
  const metadata = metadataOf(page)
  if (source !== undefined) {
    const { title } = page
    return spliceFile(source, { title, metadata, document, isTitled: !keepsUntitled }, references)
  }
  const frontMatter = printFrontMatter(metadata, references)
  return printPage({ frontMatter, title: page.title, document }, references)
}

/** Prints a reusable content over its source. */
export function printReusableContentFile(
  source: string | undefined,
  title: string,
  document: Document,
  references: References,
): string {
  if (source !== undefined) return spliceFile(source, { title, metadata: undefined, document }, references)
  return printPage({ frontMatter: printFrontMatter({ title }, references), document }, references)
}

interface FileUpdate {
  title: string
  /** New metadata; if undefined, the front matter is kept. */
  metadata: Omit<PageMetadata, 'title'> | undefined
  document: Document
  /** Whether the file must contain the title. */
  isTitled?: boolean
}

function spliceFile(source: string, update: FileUpdate, references: References): string {
  // The byte order mark is not part of the text.
  const byteOrderMark = source.startsWith('\ufeff') ? '\ufeff' : ''
  return byteOrderMark + spliceText(source.slice(byteOrderMark.length), update, references)
}

function spliceText(
  source: string,
  { title, metadata, document, isTitled = false }: FileUpdate,
  references: References,
): string {
  const options = { references, isExpression }
  const parsed = parsePage(source, options)
  const before: PageMetadata =
    parsed.frontMatter === undefined ? {} : readFrontMatter(parsed.frontMatter, references).metadata
  // The title remains where it was: in the first heading, else in the front matter, else in the table of contents.
  const frontMatterTitle = parsed.title === undefined && before.title !== undefined ? title : before.title
  const newMetadata = { ...(metadata ?? before), ...(frontMatterTitle !== undefined && { title: frontMatterTitle }) }
  const frontMatter = printFrontMatter(newMetadata, references, parsed.frontMatter)
  const hasHeading = parsed.title !== undefined || (isTitled && frontMatterTitle === undefined)
  return splicePage(source, { frontMatter, title: hasHeading ? title : undefined, document }, options)
}
