import { type Objects, type PageEntry, type PageObject, readObjects } from '../../content/revision/objects.ts'
import { readSequence } from '../../content/revision/sequence.ts'
import type { Tree } from '../../content/revision/tree.ts'
import type { ContentQuery } from '../../contract/revision.ts'
import { type Addresses, downloadPeriodAt } from './addresses.ts'
import type { GitListing, GitPlaces } from './git-places.ts'
import { presentFile, presentPage } from './present.ts'
import type { Sight } from './sight.ts'

// Replies with the whole content of a revision, streamed because a space can have 100,000 pages.

/** Approximate number of objects in memory at once, as far as the tree allows. */
const portion = 500

/** Returns a cache key of everything that the streamed part of a reply depends on. */
export function identityOf(
  rootHash: string,
  { spaceId, urls, now }: Addresses,
  git: GitListing,
  sight: Sight | undefined,
  { computed }: Computed,
): string {
  return [rootHash, spaceId, urls.plain(''), downloadPeriodAt(now()), git.identity, sight?.identity, computed].join(' ')
}

/** Query option: `computed: false` includes computed pages as declared, otherwise replaces them by generated pages. */
export type Computed = Pick<ContentQuery, 'computed'>

export async function* writePages(
  { objects, root }: Tree,
  addresses: Addresses,
  git: GitListing,
  sight: Sight | undefined,
  { computed }: Computed,
): AsyncGenerator<string> {
  const writing = { objects, addresses, git, sight, showsComputed: !computed && !sight }
  const { lists, places } = await readPageObjects(writing, [await readSequence(objects, root.pages)])
  yield '['
  yield* writeList(writing, lists[0] ?? [], '', places)
  yield ']'
}

interface Writing {
  objects: Objects
  addresses: Addresses
  git: GitListing
  sight: Sight | undefined
  showsComputed: boolean
}

interface Page {
  entry: PageEntry
  page: PageObject
}

async function* writeList(
  writing: Writing,
  pages: readonly Page[],
  above: string,
  places: GitPlaces,
): AsyncGenerator<string> {
  let separator = ''
  for (const group of groupsOf(pages)) {
    const entries = await Promise.all(group.map(({ page }) => readSequence(writing.objects, page.pages)))
    const below = await readPageObjects(writing, entries)
    for (const [index, page] of group.entries()) {
      const presented = presentPage({ ...page, children: [] }, above, writing.addresses, places)
      yield separator
      separator = ','
      if (!('pages' in presented)) {
        yield JSON.stringify(presented)
        continue
      }
      const { pages: _, ...head } = presented
      yield `${JSON.stringify(head).slice(0, -1)},"pages":[`
      const inside = below.lists[index] ?? []
      if (inside.length > 0) yield* writeList(writing, inside, presented.path, below.places)
      yield ']}'
    }
  }
}

/** Splits pages into groups with about `portion` pages including children, which are read together. */
function* groupsOf(pages: readonly Page[]): Iterable<readonly Page[]> {
  let group: Page[] = []
  let count = 0
  for (const page of pages) {
    group.push(page)
    count += 1 + page.page.pages.entries.length
    if (count < portion) continue
    yield group
    group = []
    count = 0
  }
  if (group.length > 0) yield group
}

async function readPageObjects(
  { objects, git, sight, showsComputed }: Writing,
  lists: readonly (readonly PageEntry[])[],
): Promise<{ lists: Page[][]; places: GitPlaces }> {
  const all = lists.flat()
  const hashes = all.map(({ hash }) => hash)
  const found = await readObjects(objects, 'page', hashes, { inPassing: true })
  let index = 0
  return {
    lists: lists.map((entries) =>
      entries
        .map((entry) => ({ entry, page: found[index++] as PageObject }))
        .flatMap(({ entry, page }) => {
          // No pages are generated from specifications yet, and front ends cannot render computed pages as declared.
          if (entry.type === 'computed' && !showsComputed) return []
          if (!sight) return [{ entry, page }]
          return sight.sees(page) ? [{ entry, page: sight.shown(page) }] : []
        }),
    ),
    places: await git.placesOf(documentIds(all)),
  }
}

/** Returns the ids of the pages that can have files. */
export const documentIds = (entries: readonly PageEntry[]): string[] =>
  entries.flatMap(({ id, type }) => (type === 'document' ? [id] : []))

export async function* writeFiles(
  { objects, root }: Tree,
  addresses: Addresses,
  git: GitListing,
  sight: Sight | undefined,
): AsyncGenerator<string> {
  const seen = await sight?.files()
  const entries = (await readSequence(objects, root.files)).filter(({ id }) => seen?.has(id) ?? true)
  yield '['
  for (let start = 0; start < entries.length; start += portion) {
    const some = entries.slice(start, start + portion)
    const hashes = some.map(({ hash }) => hash)
    const files = await readObjects(objects, 'file', hashes, { inPassing: true })
    const places = await git.placesOf(some.map(({ id }) => id))
    const texts = some.flatMap((entry, index) => {
      const file = files[index]
      return file ? [JSON.stringify(presentFile(entry, file, addresses, places))] : []
    })
    yield (start > 0 ? ',' : '') + texts.join(',')
  }
  yield ']'
}
