import { isSameValue } from '../revision/diff.ts'
import type { Draft } from '../revision/draft.ts'
import { type Listing, type Objects, type Redirect, readObject } from '../revision/objects.ts'
import { emptySequence, findInSorted, readSequence } from '../revision/sequence.ts'
import type { Tree } from '../revision/tree.ts'
import { type RepositoryConfig, parseRepositoryConfig } from './config.ts'
import { pagePathOf } from './paths.ts'
import type { PlannedPage } from './plan.ts'

type ConfigRedirects = RepositoryConfig['redirects']

export interface ImportRedirectsOptions {
  draft: Draft
  /** Content before the import. */
  tree: Tree
  /** All pages after the import. */
  pages: readonly PlannedPage[]
  /** Returns the page whose file a path refers to. */
  findPageAt: (path: string) => string | undefined
  /** Whether a file was listed as the file of a page before. */
  isListed: (file: string, page: string) => boolean
  /** Redirects of the configuration, now and before. */
  configured: ConfigRedirects
  formerlyConfigured: ConfigRedirects
}

/** Sets redirects to pages: those of the configuration, and those from the paths of files to pages with other paths. */
export async function importRedirects(options: ImportRedirectsOptions): Promise<void> {
  const { draft, tree, pages, findPageAt, configured, formerlyConfigured } = options
  const redirects = await createFileRedirects(options)
  for (const { from, to } of configured) {
    const [path = '', anchor] = to.split('#')
    const page = findPageAt(path)
    const id = from.toLowerCase()
    if (page !== undefined) redirects.set(id, { id, page, ...(anchor && { anchor }) })
  }
  const before = await readSequence(tree.objects, tree.root.redirects ?? emptySequence)
  const configuredPaths = new Set(configured.map(({ from }) => from.toLowerCase()))
  const removedPaths = new Set(
    formerlyConfigured.map(({ from }) => from.toLowerCase()).filter((from) => !configuredPaths.has(from)),
  )
  const targets = before.map(({ page }) => page)
  const currentIds = new Set(listPageIds(pages))
  const formerPages = await findInSorted(tree.objects, tree.root.parents, [...new Set(targets)].sort())
  for (const { id, page } of before) {
    if (redirects.has(id)) continue
    if (removedPaths.has(id) || (formerPages.has(page) && !currentIds.has(page))) draft.setRedirect(id, null)
  }
  const redirectsBefore = new Map(before.map((redirect) => [redirect.id, redirect]))
  for (const [id, redirect] of redirects)
    if (!isSameValue(redirectsBefore.get(id), redirect)) draft.setRedirect(id, redirect)
}

/**
 * Returns redirects from the paths of new files to pages with other paths. Paths that pages leave later are stored as former
 * paths.
 */
async function createFileRedirects({ draft, pages, isListed }: ImportRedirectsOptions): Promise<Map<string, Redirect>> {
  const redirects = new Map<string, Redirect>()
  const visit = async (children: readonly PlannedPage[], parent: string | null, parentPath: string): Promise<void> => {
    const slugs = new Map((await draft.children(parent)).map(({ id, slug }) => [id, slug]))
    for (const { id, content, children: childPages } of children) {
      const path = `${parentPath}${slugs.get(id)}`
      const file = content.type === 'document' ? content.file : undefined
      const filePath = file === undefined || isListed(file, id) ? '' : pagePathOf(file).toLowerCase()
      if (filePath !== '' && filePath !== path) redirects.set(filePath, { id: filePath, page: id })
      if (childPages.length > 0) await visit(childPages, id, `${path}/`)
    }
  }
  await visit(pages, null, '')
  return redirects
}

function* listPageIds(pages: readonly PlannedPage[]): Generator<string> {
  for (const { id, children } of pages) {
    yield id
    yield* listPageIds(children)
  }
}

/** Returns the redirects of the listed configuration. */
export async function readFormerRedirects(objects: Objects, { config }: Listing): Promise<ConfigRedirects> {
  if (config?.hash === undefined) return []
  const { text } = await readObject(objects, 'source', config.hash)
  return parseRepositoryConfig(text, config.id).config.redirects
}
