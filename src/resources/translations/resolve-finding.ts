import { findSpace, requireRole } from '../../access/authorize.ts'
import { indexBlocks, isEqualContent } from '../../content/document/block-groups.ts'
import { mapBlocks, withNodes } from '../../content/document/walk.ts'
import { Draft } from '../../content/revision/draft.ts'
import { type Objects, readObject } from '../../content/revision/objects.ts'
import { type Tree, findPage, openTree } from '../../content/revision/tree.ts'
import * as findings from '../../domain/translations/finding-store.ts'
import type { TranslationRow } from '../../domain/translations/translation-store.ts'
import { getRevisionContent } from '../../domain/revisions/revisions.ts'
import type { OrganizationContext } from '../../kernel/context.ts'
import { conflict } from '../../kernel/errors.ts'
import { lockSpace } from '../../storage/lock-space.ts'
import { publishContent } from './publish-content.ts'
import { readFindingText } from './store-findings.ts'

/** Resolves a finding: keeps the text of the translated space, or replaces it with that of the engine. */
export async function resolveFinding(
  context: OrganizationContext,
  translation: TranslationRow,
  finding: findings.FindingRow,
  use: 'keep' | 'machine',
): Promise<findings.FindingRow> {
  const { db, principal, now } = context
  if (use === 'machine') await applyMachineText(context, translation, finding)
  const resolved = await findings.resolveFinding(db, finding, { by: principal.user.id, at: now() })
  if (!resolved) throw conflict('The finding is already resolved')
  return resolved
}

async function applyMachineText(
  context: OrganizationContext,
  translation: TranslationRow,
  finding: findings.FindingRow,
): Promise<void> {
  const { db, viewer } = context
  const { result_space_id: spaceId, machine_root_hash: machineRoot } = translation
  if (finding.kind !== 'source-changed' || spaceId === null || machineRoot === null)
    throw conflict('There is no text of the engine for this finding')
  await lockSpace(db, { organization_id: translation.organization_id, id: spaceId })
  const found = await findSpace(db, viewer.userId, spaceId)
  if (!found) throw conflict('The translated space is not available')
  requireRole('space', 'edit', found.role)
  if (found.space.edit_mode === 'locked')
    throw conflict('The translated space is locked. Change it in a change request')
  const { tree, objects } = await getRevisionContent(context, found.space, found.space.revision_id)
  const location = JSON.parse(finding.location) as findings.FindingLocation
  if ((await readFindingText(tree, location)) !== finding.current_text)
    throw conflict('The text has changed since the finding was made')
  const draft = new Draft(tree)
  await replaceText(draft, tree, await openTree(objects, machineRoot), location)
  const root = await draft.commit()
  await objects.flush()
  await publishContent({ ...context, ...found }, root)
}

/** Replaces a text in a draft with the text at the same location of another tree. */
async function replaceText(
  draft: Draft,
  tree: Tree,
  machine: Tree,
  { page: pageId, block, field }: findings.FindingLocation,
): Promise<void> {
  const missing = () => conflict('The text of the engine no longer exists')
  if (pageId === undefined) throw conflict('Change the reusable content in the translated space')
  const from = (await findPage(machine, pageId))?.page
  const to = (await findPage(tree, pageId))?.page
  if (!from || !to) throw missing()
  if (block === undefined) {
    const name = (field ?? 'title') as 'title'
    return draft.updatePage(pageId, (body) => ({ ...body, [name]: from[name] }))
  }
  const replacement = await readBlock(machine.objects, from.document, block)
  const document =
    to.document === undefined ? undefined : (await readObject(tree.objects, 'document', to.document)).document
  if (!replacement || !document) throw missing()
  const nodes = mapBlocks(document.nodes, (one) =>
    one.key === block && !isEqualContent(one, replacement) ? replacement : one,
  )
  const hash = tree.objects.write({ kind: 'document', document: withNodes(document, nodes) })
  await draft.updatePage(pageId, (body) => ({ ...body, document: hash }))
}

async function readBlock(objects: Objects, hash: string | undefined, key: string) {
  if (hash === undefined) return undefined
  return indexBlocks((await readObject(objects, 'document', hash)).document)?.get(key)?.block
}
