import { assignKeys } from '../../content/document/assign-keys.ts'
import { createDocument } from '../../content/document/build.ts'
import type { Document } from '../../content/document/nodes.ts'
import { Draft } from '../../content/revision/draft.ts'
import { emptyRoot } from '../../content/revision/objects.ts'
import { type PageNode, openTree, readPageNodes } from '../../content/revision/tree.ts'
import type { ComputedRevision, spaceContent } from '../../contract/content.ts'
import { writeComputedRoot } from '../../domain/computed/computed-root.ts'
import { parseOpenApiSource } from '../../domain/computed/openapi-source.ts'
import { openSpecOutlines } from '../../domain/computed/spec-outlines.ts'
import { presentDocument } from '../../domain/documents/present-document.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { OperationInput } from '../../kernel/implement.ts'
import { generateBlocks } from '../../openapi/generate-pages.ts'
import { presentPage } from './present.ts'
import { toLinkContext } from './reads.ts'

type DocumentBody = OperationInput<typeof spaceContent.getComputedDocument>['body']
type RevisionBody = OperationInput<typeof spaceContent.getComputedRevision>['body']

/** Returns the document that is generated from a source. */
export async function computeDocument({ db, space }: SpaceContext, { source }: DocumentBody): Promise<Document> {
  const parsed = parseOpenApiSource(source)
  const spec = parsed && (await openSpecOutlines(db, space.organization_id).find(parsed.ref.spec))
  if (!parsed?.content || !spec) throw notFound('specification')
  const blocks = generateBlocks(spec.outline, parsed.ref, parsed.content)
  if (!blocks) throw notFound('page')
  return presentDocument(assignKeys(undefined, createDocument(blocks)))
}

/** Returns the pages that are generated from a source; their objects are not stored. */
export async function computeRevision(
  context: SpaceContext,
  { source, seed }: RevisionBody,
): Promise<ComputedRevision> {
  const { db, space, now } = context
  const { ref } = source.dependencies.spec
  if (!(await openSpecOutlines(db, space.organization_id).find(ref.spec))) throw notFound('specification')
  const objects = context.openObjects(db, space.organization_id)
  const draft = new Draft({ objects, root: emptyRoot })
  const body = { title: '', computed: source, createdAt: now(), updatedAt: now() }
  await draft.insertPage({ id: seed, type: 'computed', slug: '', body }, { into: null })
  const computed = await writeComputedRoot(db, objects, space.organization_id, {
    rootHash: await draft.commit(),
  })
  const { root } = computed ? await openTree(objects, computed.hash) : { root: emptyRoot }
  const linkContext = toLinkContext(context, space.id)
  const nodes = (await readPageNodes(objects, root.pages)).map(withoutDocuments)
  const pages = nodes.map((node) => presentPage(node, '', linkContext, new Map()))
  return { pages, files: [], reusableContents: [] }
}

/** Returns pages without their documents, which are not stored. */
function withoutDocuments({ entry, page: stored, children }: PageNode): PageNode {
  const { document: _, ...page } = stored
  return { entry, page, children: children.map(withoutDocuments) }
}
