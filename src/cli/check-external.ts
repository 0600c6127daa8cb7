import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { RepositoryProblem } from '../content/repository/source.ts'
import { type ListedFile, type Objects, readObject } from '../content/revision/objects.ts'
import { readSequence } from '../content/revision/sequence.ts'
import { type PageNode, type Tree, readPageNodes } from '../content/revision/tree.ts'
import type { Fetch } from '../fetch/fetch.ts'
import { days } from '../kernel/time.ts'
import type { LinkSource } from '../links/link-target.ts'
import { type SourceObject, readLinks } from '../links/read-links.ts'
import { type UrlCheck, checkUrls } from '../website/check-urls.ts'
import type { Progress } from './progress.ts'

/** Result of checking the external links of a folder. */
export interface ExternalFindings {
  urls: number
  /** Number of URLs that were requested now; the results of the others were stored by an earlier check. */
  requested: number
  broken: number
  /** URLs that could not be checked, with the reason. */
  unchecked: { url: string; reason: string }[]
  warnings: RepositoryProblem[]
}

interface ExternalCheck {
  fetch: Fetch
  /** Folder in which results are stored. */
  dataFolder: string
  signal: AbortSignal
  progress: Progress
  now: number
  delay?: number
}

/** Requests the external links of imported content, unless they were checked recently. */
export async function checkExternalLinks(
  tree: Tree,
  listing: string,
  { fetch, dataFolder, signal, progress, now, delay }: ExternalCheck,
): Promise<ExternalFindings> {
  const sourcesByUrl = await collectUrls(tree)
  const file = join(dataFolder, 'cache', 'external-links.json')
  const cache = await readCache(file, now)
  const requested = [...sourcesByUrl.keys()].filter((url) => !cache.has(url))
  let done = 0
  try {
    await checkUrls(requested, {
      fetch,
      signal,
      ...(delay !== undefined && { delay }),
      onCheck(url, check) {
        cache.set(url, { ...check, checkedAt: now })
        progress.report('external links', { done: ++done, total: requested.length })
      },
    })
  } finally {
    // Also stored after an interruption, so that the next check continues where this one ended.
    if (done > 0) await writeCache(file, cache)
  }
  const broken = [...sourcesByUrl].filter(([url]) => cache.get(url)?.result === 'broken')
  return {
    urls: sourcesByUrl.size,
    requested: requested.length,
    broken: broken.length,
    unchecked: [...sourcesByUrl.keys()].flatMap((url) => {
      const check = cache.get(url)
      return check?.result === 'unchecked' ? [{ url, reason: check.reason ?? '' }] : []
    }),
    warnings: await locateUrls(
      tree.objects,
      listing,
      broken.map(([url, sources]) => ({ url, sources, reason: cache.get(url)?.reason ?? '' })),
    ),
  }
}

/** Returns the http(s) URLs of all pages and reusable contents, with the ids of those that contain them. */
async function collectUrls(tree: Tree): Promise<Map<string, Set<string>>> {
  const { objects, root } = tree
  const sources: [LinkSource, SourceObject][] = []
  const addPages = (nodes: readonly PageNode[]): void => {
    for (const { entry, page, children } of nodes) {
      sources.push([{ kind: 'page', id: entry.id }, page])
      addPages(children)
    }
  }
  addPages(await readPageNodes(objects, root.pages))
  for (const { id, hash } of await readSequence(objects, root.reusableContents))
    sources.push([{ kind: 'reusable-content', id }, await readObject(objects, 'reusable-content', hash)])
  const urls = new Map<string, Set<string>>()
  for (const [source, object] of sources) {
    for (const { target } of (await readLinks(tree, '', source, object)).values()) {
      if (target.kind === 'url' && /^https?:/i.test(target.id))
        urls.set(target.id, (urls.get(target.id) ?? new Set()).add(source.id))
    }
  }
  return urls
}

/** Returns a warning for each file that contains a broken URL. */
async function locateUrls(
  objects: Objects,
  listingHash: string,
  broken: readonly { url: string; sources: ReadonlySet<string>; reason: string }[],
): Promise<RepositoryProblem[]> {
  const { files, folder } = await readObject(objects, 'listing', listingHash)
  const filesByItem = new Map<string, ListedFile>()
  let summary: ListedFile | undefined
  for (const file of await readSequence(objects, files)) {
    if (file.item !== undefined) filesByItem.set(file.item, file)
    if (file.is === 'summary') summary = file
  }
  const warnings: RepositoryProblem[] = []
  for (const { url, sources, reason } of broken) {
    for (const id of sources) {
      // Links in the navigation do not belong to a file.
      const file = filesByItem.get(id) ?? summary
      if (!file) continue
      const line = file.hash === undefined ? 0 : findLine((await readObject(objects, 'source', file.hash)).text, url)
      const path = folder === '' ? file.id : `${folder}/${file.id}`
      warnings.push({ file: path, ...(line > 0 && { line }), message: `Broken external link: ${url} (${reason})` })
    }
  }
  return warnings
}

/** Returns the number of the first line that contains a text; 0 if there is none. */
function findLine(text: string, part: string): number {
  const at = text.indexOf(part)
  return at < 0 ? 0 : text.slice(0, at).split('\n').length
}

/** How long results are used: a broken link may be repaired soon. */
const lifetimes = { ok: days(7), broken: days(1), unchecked: 0 }

const CachedCheck = z.object({
  result: z.enum(['ok', 'broken', 'unchecked']),
  reason: z.string().exactOptional(),
  checkedAt: z.number(),
})

const CacheFile = z.object({ version: z.literal(1), checks: z.record(z.string(), CachedCheck) })

type Cache = Map<string, UrlCheck & { checkedAt: number }>

/** Reads the results that may still be used. */
async function readCache(file: string, now: number): Promise<Cache> {
  const text = await readFile(file, 'utf8').catch(() => '')
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    return new Map()
  }
  const parsed = CacheFile.safeParse(content)
  const checks = Object.entries(parsed.data?.checks ?? {})
  return new Map(checks.filter(([, { result, checkedAt }]) => now - checkedAt < lifetimes[result]))
}

async function writeCache(file: string, cache: Cache): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const checks = Object.fromEntries([...cache].filter(([, { result }]) => lifetimes[result] > 0))
  // Written to another file first, so that an interruption does not leave an incomplete file.
  const pending = `${file}.${process.pid}`
  await writeFile(pending, JSON.stringify({ version: 1, checks }))
  await rename(pending, file)
}
