import { createHash } from 'node:crypto'
import { exportRepository } from '../content/repository/export.ts'
import { importRepository } from '../content/repository/import.ts'
import { checkRoundTrips } from '../content/repository/round-trip.ts'
import type { RepositoryProblem, SourceAsset } from '../content/repository/source.ts'
import { countSequence, emptySequence } from '../content/revision/sequence.ts'
import { type PageNode, type Tree, openTree, readPageNodes } from '../content/revision/tree.ts'
import { sniffContentType } from '../files/sniff.ts'
import { longTextSettings } from '../parsing/parse.ts'
import { findAssetProblem } from '../resources/content/folder.ts'
import { MemoryObjects } from '../storage/memory-objects.ts'
import type { ExternalFindings } from './check-external.ts'
import { openLocalFolder } from './folder.ts'
import { idsAndClock } from './environment.ts'
import type { Progress } from './progress.ts'

/** Result of checking a folder. */
export interface Findings {
  pages: number
  groups: number
  links: number
  computed: number
  files: number
  reusableContents: number
  variables: number
  redirects: number
  warnings: RepositoryProblem[]
  /** Result of checking external links, if it was requested. */
  external?: ExternalFindings
  roundTrip: {
    /** Files that would change although nothing was edited; there should be none. */
    changed: string[]
    /** Number of texts that were printed and parsed again. */
    texts: number
    /** Number of texts whose content is unchanged. */
    same: number
    /** Number of texts that are in normal form, byte for byte. */
    normal: number
    /** Texts whose content would change; there should be none. */
    lost: string[]
  }
}

/** Checks the external links of imported content. */
type CheckExternal = (tree: Tree, listing: string) => Promise<ExternalFindings>

/** Imports a folder into memory and exports it again, to report problems and differences. */
export async function checkFolder(path: string, progress: Progress, checkExternal?: CheckExternal): Promise<Findings> {
  const objects = new MemoryObjects()
  const folder = await openLocalFolder(path, describeAsset)
  const existingPaths = new Set(folder.files.map((file) => file.path))
  const imported = await importRepository(objects, folder, {
    newId: idsAndClock.newId,
    now: idsAndClock.now(),
    onText: async (done) => progress.report('pages', done),
    longTexts: longTextSettings,
  })
  const tree = await openTree(objects, imported.root)
  const { root } = tree
  const { changes } = await exportRepository(objects, {
    before: imported,
    after: imported.root,
    isTaken: (file) => existingPaths.has(file),
  })
  const roundTrip = {
    changed: changes.map((change) => change.path).sort(),
    texts: 0,
    same: 0,
    normal: 0,
    lost: [] as string[],
  }
  for await (const text of checkRoundTrips(objects, imported)) {
    progress.report('pages read again', { done: roundTrip.texts++, total: imported.read })
    if (text.isEquivalent) roundTrip.same++
    else roundTrip.lost.push(text.path)
    if (text.isIdentical) roundTrip.normal++
  }
  roundTrip.lost.sort()
  const external = await checkExternal?.(tree, imported.listing)
  return {
    ...countPages(await readPageNodes(objects, root.pages)),
    files: await countSequence(objects, root.files),
    reusableContents: await countSequence(objects, root.reusableContents),
    variables: Object.keys(root.variables).length,
    redirects: await countSequence(objects, root.redirects ?? emptySequence),
    warnings: [...imported.problems, ...(external?.warnings ?? [])],
    ...(external && { external }),
    roundTrip,
  }
}

function countPages(top: readonly PageNode[]): Pick<Findings, 'pages' | 'groups' | 'links' | 'computed'> {
  const counts = { document: 0, group: 0, link: 0, computed: 0 }
  const countNode = ({ entry, children }: PageNode): void => {
    counts[entry.type]++
    children.forEach(countNode)
  }
  top.forEach(countNode)
  return { pages: counts.document, groups: counts.group, links: counts.link, computed: counts.computed }
}

/** Returns the properties of a file without storing it. */
export async function describeAsset(path: string, bytes: Uint8Array): Promise<SourceAsset> {
  const problem = findAssetProblem(bytes)
  if (problem !== undefined) return { path, problem }
  const name = path.slice(path.lastIndexOf('/') + 1)
  const blob = createHash('sha256').update(bytes).digest('hex')
  return { path, file: { name, contentType: sniffContentType(bytes, name, undefined), size: bytes.length, blob } }
}
