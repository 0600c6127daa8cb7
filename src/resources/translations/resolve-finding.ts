import { findSpace, requireRole } from '../../access/authorize.ts'
import { blockGroupsOf, withBlockGroups } from '../../content/document/block-groups.ts'
import type { Block } from '../../content/document/nodes.ts'
import { mapBlocks, withNodes } from '../../content/document/walk.ts'
import { withPageField } from '../../content/revision/conflict.ts'
import { Draft } from '../../content/revision/draft.ts'
import { readObject } from '../../content/revision/objects.ts'
import { findInSorted } from '../../content/revision/sequence.ts'
import { type Tree, findPage, openTree } from '../../content/revision/tree.ts'
import { replaceChangeRequestHead } from '../../domain/change-requests/change-request-revisions.ts'
import * as findings from '../../domain/translations/finding-store.ts'
import type { TranslationRow } from '../../domain/translations/translation-store.ts'
import { getRevisionContent } from '../../domain/revisions/revisions.ts'
import type { OrganizationContext } from '../../kernel/context.ts'
import { conflict } from '../../kernel/errors.ts'
import { lockSpace } from '../../storage/lock-space.ts'
import { findBaseState } from './base-state.ts'
import { FindingTexts, findBlock } from './finding-texts.ts'
import { publishContent } from './publish-content.ts'

/** Resolves a finding: keeps the text of the translated space, or replaces it with that of the engine. */
export async function resolveFinding(
  context: OrganizationContext,
  translation: TranslationRow,
  finding: findings.FindingRow,
  use: 'keep' | 'machine',
): Promise<findings.FindingRow> {
  const { db, principal, now } = context
  const resolved = await findings.resolveFinding(db, finding, { by: principal.user.id, at: now() })
  if (!resolved) throw conflict('The finding is already resolved')
  if (use === 'machine') await applyMachineText(context, translation, finding)
  return resolved
}

/** Changes the translated space, or the change request with the result if it is open. */
async function applyMachineText(
  context: OrganizationContext,
  translation: TranslationRow,
  finding: findings.FindingRow,
): Promise<void> {
  const { db, viewer } = context
  const { result_space_id: spaceId } = translation
  if (spaceId === null || finding.kind !== 'source-changed') throw withoutMachineText()
  await lockSpace(db, { organization_id: translation.organization_id, id: spaceId })
  const found = await findSpace(db, viewer.userId, spaceId)
  if (!found) throw conflict('The translated space is not available')
  requireRole('space', 'edit', found.role)
  const { machineRoot, changeRequest } = await findBaseState(db, translation)
  if (machineRoot === null) throw withoutMachineText()
  if (!changeRequest && found.space.edit_mode === 'locked')
    throw conflict('The translated space is locked. Change it in a change request')
  const headId = changeRequest?.revision_id ?? found.space.revision_id
  const { tree, objects } = await getRevisionContent(context, found.space, headId)
  const location = JSON.parse(finding.location) as findings.FindingLocation
  if (((await new FindingTexts(tree).read(location)) ?? '') !== finding.current_text)
    throw conflict('The text has changed since the finding was created')
  const draft = new Draft(tree)
  await replaceText(draft, tree, await openTree(objects, machineRoot), location)
  const rootHash = await draft.commit()
  await objects.flush()
  const editor = { ...context, ...found }
  if (changeRequest)
    await replaceChangeRequestHead(editor, changeRequest, { rootHash, type: 'edits', parents: [headId] })
  else await publishContent(editor, rootHash)
}

const withoutMachineText = () =>
  conflict('The finding contains no text of the engine. Edit the text in the translated space')

/** Replaces a text in a draft of a tree with the text at the same location of another tree. */
async function replaceText(
  draft: Draft,
  tree: Tree,
  machine: Tree,
  { page, reusableContent, block, field }: findings.FindingLocation,
): Promise<void> {
  if (page !== undefined) {
    const [from, to] = [(await findPage(machine, page))?.page, (await findPage(tree, page))?.page]
    if (!from || !to) throw withoutMachineText()
    const name = (block === undefined ? (field ?? 'title') : 'document') as 'title' | 'document'
    const value =
      block === undefined ? from[name] : await replaceBlock(tree, to.document, machine, from.document, block)
    return draft.updatePage(page, (body) => withPageField(body, name, value))
  }
  if (reusableContent === undefined) throw conflict('Change the tag or variable in the translated space')
  const [from, to] = [await readContent(machine, reusableContent), await readContent(tree, reusableContent)]
  const { title, document } = to
  return draft.reusableContents.set(
    reusableContent,
    block === undefined
      ? { title: from.title, document }
      : { title, document: await replaceBlock(tree, document, machine, from.document, block) },
  )
}

async function readContent({ objects, root }: Tree, id: string) {
  const entry = (await findInSorted(objects, root.reusableContents, [id])).get(id)
  if (!entry) throw withoutMachineText()
  return readObject(objects, 'reusable-content', entry.hash)
}

/** Writes a document with the content of one block of another document; returns its hash. */
async function replaceBlock(
  { objects }: Tree,
  hash: string | undefined,
  machine: Tree,
  machineHash: string | undefined,
  key: string,
): Promise<string> {
  if (hash === undefined || machineHash === undefined) throw withoutMachineText()
  const { document } = await readObject(objects, 'document', hash)
  const replacement = findBlock((await readObject(machine.objects, 'document', machineHash)).document, key)
  if (!findBlock(document, key)) throw conflict('The block was deleted in the translated space. Insert it there')
  const nodes = mapBlocks(document.nodes, (block) => {
    if (block.key !== key) return block
    return replacement ? withOwnContent(block, replacement) : []
  })
  return objects.write({ kind: 'document', document: withNodes(document, nodes) })
}

/** Returns another version of a block that contains the blocks of the current one, which may have been edited too. */
function withOwnContent(current: Block, replacement: Block): Block {
  const [groups, names] = [blockGroupsOf(current), blockGroupsOf(replacement).map(({ name }) => name)]
  if (groups.map(({ name }) => name).join() !== names.join())
    throw conflict('The structure of the block has changed. Change it in the translated space')
  return withBlockGroups(
    replacement,
    groups.map(({ blocks }) => blocks),
  )
}
