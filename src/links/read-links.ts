import { type Reference, collectReferences } from '../content/document/references.ts'
import { type PageObject, type ReusableContentObject, readObjects } from '../content/revision/objects.ts'
import type { Tree } from '../content/revision/tree.ts'
import { findExtract } from '../derived/document-extracts.ts'
import { type LinkSource, type LinkTarget, keyOfTarget, toLinkTarget } from './link-target.ts'

/** Maximum number of blocks that are listed for the links of one source to one target. */
const maxNodes = 100

/** All links of a source to one target. */
export interface Link {
  key: string
  target: LinkTarget
  /** Keys of the first blocks that contain the link. */
  nodes: string[]
}

/** Object that contains links, or from which a document with links is read. */
export type SourceObject = PageObject | ReusableContentObject

/** Reads the links of a page or reusable content, one for each target. */
export async function readLinks(
  tree: Tree,
  spaceId: string,
  source: LinkSource,
  object: SourceObject,
): Promise<Map<string, Link>> {
  const references = findExtract(object.document, 'references') ?? (await readReferences(tree, object))
  const links = new Map<string, Link>()
  for (const { ref, key: node } of [...listFieldReferences(object), ...references]) {
    const target = toLinkTarget(ref, spaceId, source)
    if (!target) continue
    const key = keyOfTarget(target)
    const link = links.get(key) ?? { key, target, nodes: [] }
    links.set(key, link)
    if (node !== undefined && link.nodes.length < maxNodes && !link.nodes.includes(node)) link.nodes.push(node)
  }
  return links
}

async function readReferences(tree: Tree, object: SourceObject): Promise<Reference[]> {
  const hashes = object.document === undefined ? [] : [object.document]
  const [stored] = await readObjects(tree.objects, 'document', hashes, { skipCache: true })
  return stored ? collectReferences(stored.document) : []
}

function listFieldReferences(object: SourceObject): Reference[] {
  if (object.kind !== 'page') return []
  const { target, cover, metaLinks, computed } = object
  const fieldRefs = [
    target,
    cover?.ref,
    cover?.refDark,
    metaLinks?.canonical,
    ...(metaLinks?.alternates ?? []),
    ...Object.values(computed?.dependencies ?? {}).map(({ ref }) => ref),
  ]
  return fieldRefs.flatMap((ref) => (ref ? [{ ref }] : []))
}
