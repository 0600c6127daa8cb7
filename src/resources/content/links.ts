import type { ContentRef, Document } from '../../content/document/nodes.ts'
import { referencesIn } from '../../content/document/references.ts'
import { type References, readStable, writeStable } from '../../content/markdown/references.ts'
import type { PageEntry } from '../../content/revision/objects.ts'
import { readSequence } from '../../content/revision/sequence.ts'
import { type LocatedPage, type Tree, findPage, pathOf } from '../../content/revision/tree.ts'

// In Markdown pages refer to each other by the paths of files, as they would lie in a repository: a page is `<path>.md`,
// a page with others below it is `<path>/README.md`, and the first page is `README.md` at the top.

/** Where the Markdown of a page would lie. */
export function fileOfPage(path: string, { isHome, hasChildren }: { isHome: boolean; hasChildren: boolean }): string {
  if (isHome) return 'README.md'
  return hasChildren ? `${path}/README.md` : `${path}.md`
}

/** The first page that can be read, which is where a space begins. */
export function homeOf(entries: readonly PageEntry[]): string | undefined {
  return entries.find(({ type }) => type === 'document')?.id
}

async function fileOf(tree: Tree, located: LocatedPage): Promise<string> {
  const isHome = homeOf(await readSequence(tree.objects, tree.root.pages)) === located.entry.id
  return fileOfPage(pathOf(located), { isHome, hasChildren: located.page.pages.entries.length > 0 })
}

/** Writes the references of a document as paths relative to the page that it stands in; those that have none by id. */
export async function relativeReferences(tree: Tree, from: LocatedPage, document: Document): Promise<References> {
  const files = new Map<string, string>()
  const own = await fileOf(tree, from)
  for (const { ref } of referencesIn(document)) {
    const page = pageOf(ref)
    if (page === undefined || files.has(page)) continue
    const located = await findPage(tree, page)
    if (located) files.set(page, relativePath(own, await fileOf(tree, located)))
  }
  return {
    read: (destination) => readStable(destination) ?? { kind: 'url', url: destination },
    write(ref) {
      const file = files.get(pageOf(ref) ?? '')
      if (file === undefined) return writeStable(ref)
      return ref.kind === 'anchor' ? `${file}#${ref.anchor}` : file
    },
  }
}

function pageOf(ref: ContentRef): string | undefined {
  return (ref.kind === 'page' || ref.kind === 'anchor') && ref.space === undefined ? ref.page : undefined
}

/** How a file is named as seen from another one; a README by its folder. */
export function relativePath(from: string, to: string): string {
  const start = from.split('/').slice(0, -1)
  const end = to.replace(/(^|\/)README\.md$/, '$1').split('/')
  let shared = 0
  while (shared < start.length && shared < end.length - 1 && start[shared] === end[shared]) shared++
  const path = [...start.slice(shared).map(() => '..'), ...end.slice(shared)].join('/')
  return path === '' ? './' : path
}

/** Which file a written path names, as seen from another file; undefined when it leads out of the content. */
export function resolvePath(from: string, written: string): string | undefined {
  const steps = written.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const step of written.split('/')) {
    if (step === '..') {
      if (steps.pop() === undefined) return undefined
    } else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps.join('/')
}

/** The paths that a page may have when its file is named so: with and without its ending, or by its folder. */
export function pagePathOf(file: string): string {
  return file
    .replace(/(^|\/)README\.md$/i, '')
    .replace(/\.md$/i, '')
    .replace(/\/$/, '')
}
