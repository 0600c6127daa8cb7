import { isSameValue } from '../revision/diff.ts'
import type { Draft } from '../revision/draft.ts'
import { type Listing, type Objects, type Redirect, readObject } from '../revision/objects.ts'
import { emptySequence, findInSorted, readSequence } from '../revision/sequence.ts'
import type { Tree } from '../revision/tree.ts'
import { type RepositoryConfig, readRepositoryConfig } from './config.ts'
import { pagePathOf } from './paths.ts'
import type { PlannedPage } from './plan.ts'

type NamedRedirects = RepositoryConfig['redirects']

export interface RedirectsToImport {
  draft: Draft
  /** Content before the import. */
  tree: Tree
  /** All pages after the import. */
  pages: readonly PlannedPage[]
  /** Returns the page whose file a path refers to. */
  pageAt: (path: string) => string | undefined
  /** Whether a file was listed as the file of a page before. */
  isListed: (file: string, page: string) => boolean
  /** Redirects of the configuration, now and before. */
  named: NamedRedirects
  formerlyNamed: NamedRedirects
}

/** Sets redirects to pages: those of the configuration, and those from the paths of files to pages with other paths. */
export async function importRedirects(work: RedirectsToImport): Promise<void> {
  const { draft, tree, pages, pageAt, named, formerlyNamed } = work
  const wanted = await pathsOfFiles(work)
  for (const { from, to } of named) {
    const [path = '', anchor] = to.split('#')
    const page = pageAt(path)
    const id = from.toLowerCase()
    if (page !== undefined) wanted.set(id, { id, page, ...(anchor && { anchor }) })
  }
  const before = await readSequence(tree.objects, tree.root.redirects ?? emptySequence)
  const isNamed = new Set(named.map(({ from }) => from.toLowerCase()))
  const isForgotten = new Set(formerlyNamed.map(({ from }) => from.toLowerCase()).filter((from) => !isNamed.has(from)))
  const targets = before.map(({ page }) => page)
  const present = new Set(idsOf(pages))
  const former = await findInSorted(tree.objects, tree.root.parents, [...new Set(targets)].sort())
  for (const { id, page } of before) {
    if (wanted.has(id)) continue
    if (isForgotten.has(id) || (former.has(page) && !present.has(page))) draft.setRedirect(id, null)
  }
  const known = new Map(before.map((redirect) => [redirect.id, redirect]))
  for (const [id, redirect] of wanted) if (!isSameValue(known.get(id), redirect)) draft.setRedirect(id, redirect)
}

/**
 * Returns redirects from the paths of new files to pages with other paths. Paths that pages leave later are stored as former
 * paths.
 */
async function pathsOfFiles({ draft, pages, isListed }: RedirectsToImport): Promise<Map<string, Redirect>> {
  const paths = new Map<string, Redirect>()
  const note = async (children: readonly PlannedPage[], parent: string | null, above: string): Promise<void> => {
    const slugs = new Map((await draft.children(parent)).map(({ id, slug }) => [id, slug]))
    for (const { id, what, children: below } of children) {
      const path = `${above}${slugs.get(id)}`
      const file = what.type === 'document' ? what.file : undefined
      const filePath = file === undefined || isListed(file, id) ? '' : pagePathOf(file).toLowerCase()
      if (filePath !== '' && filePath !== path) paths.set(filePath, { id: filePath, page: id })
      if (below.length > 0) await note(below, id, `${path}/`)
    }
  }
  await note(pages, null, '')
  return paths
}

function* idsOf(pages: readonly PlannedPage[]): Generator<string> {
  for (const { id, children } of pages) {
    yield id
    yield* idsOf(children)
  }
}

/** Returns the redirects of the listed configuration. */
export async function formerRedirects(objects: Objects, { config }: Listing): Promise<NamedRedirects> {
  if (config?.hash === undefined) return []
  const { text } = await readObject(objects, 'source', config.hash)
  return readRepositoryConfig(text, config.id).config.redirects
}
