import { indexBlocks } from '../../content/document/block-groups.ts'
import type { Block, Document } from '../../content/document/nodes.ts'
import { textOfBlocks } from '../../content/document/text.ts'
import type { Conflict } from '../../content/revision/conflict.ts'
import { type Objects, type PageFields, readObject } from '../../content/revision/objects.ts'
import { findInSorted } from '../../content/revision/sequence.ts'
import { type Tree, findPage, openTree } from '../../content/revision/tree.ts'
import * as findings from '../../domain/translations/finding-store.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { parseMarkup, textOfMarkup } from '../../translation/markup.ts'
import type { LocatedProblem } from '../../translators/text-translator.ts'
import type { RunResult, StartedRun, TranslatedContent } from './complete-run.ts'

/** A finding before it is stored. */
export interface Finding {
  kind: findings.FindingRow['kind']
  location: findings.FindingLocation
  pageTitle: string
  source: string
  machine: string
  current: string
  message?: string
}

const maxTextLength = 10_000

/** Maximum number of findings of one run; a run with more of them has a problem that the first ones show. */
const maxFindings = 5000

/** Maximum number of open findings that are checked again in one run. */
const maxChecked = 5000

/** Stores what people should check after a run, and resolves earlier findings that no longer apply. */
export async function storeFindings(
  context: SpaceContext,
  { run, translation }: StartedRun,
  content: TranslatedContent,
  { rootHash, conflicts }: RunResult,
): Promise<void> {
  const { db, newId, now, openObjects } = context
  const objects = openObjects(db, translation.organization_id)
  await findings.resolveFindingsOfPages(db, translation, {
    kinds: ['not-translated', 'glossary'],
    pageIds: content.pages,
    now: now(),
  })
  await resolveOutdated(context, translation, await openTree(objects, rootHash))
  const source = await openTree(objects, content.sourceRevision.root_hash)
  const found = content.problems.map(toFinding)
  for (const conflict of conflicts) {
    const finding = await describeConflict(source, conflict)
    if (finding) found.push(finding)
  }
  for (const finding of found.slice(0, maxFindings))
    await findings.storeFinding(db, {
      organization_id: translation.organization_id,
      translation_id: translation.id,
      id: newId(),
      run_id: run.id,
      kind: finding.kind,
      location: JSON.stringify(finding.location),
      page_id: finding.location.page ?? null,
      page_title: finding.pageTitle,
      source_text: finding.source.slice(0, maxTextLength),
      machine_text: finding.machine.slice(0, maxTextLength),
      current_text: finding.current.slice(0, maxTextLength),
      message: finding.message ?? null,
      status: 'open',
      resolved_by: null,
      resolved_at: null,
      created_at: now(),
    })
}

export function toFinding({ kind, message, owner, location, text }: LocatedProblem): Finding {
  const plainText = textOfMarkup(parseMarkup(text))
  const place = owner.kind === 'page' ? { page: owner.id } : { reusableContent: owner.id }
  return {
    kind,
    location: owner.kind === 'tags' ? location : { ...place, ...location },
    pageTitle: owner.title,
    source: plainText,
    machine: '',
    current: kind === 'not-translated' ? plainText : '',
    message,
  }
}

/** Describes a text that people and the source changed, or a page that people changed and the source removed. */
export async function describeConflict(source: Tree, conflict: Conflict): Promise<Finding | undefined> {
  if (conflict.on !== 'page' && conflict.on !== 'reusable-content') return undefined
  const owner = conflict.on === 'page' ? { page: conflict.page } : { reusableContent: conflict.reusableContent }
  const item = await readItem(source, owner)
  const title = item?.title ?? ''
  if (conflict.about === 'block' && conflict.block.part === undefined) {
    const { key, ours, theirs } = conflict.block
    const texts = { machine: textOf(ours), current: textOf(theirs) }
    const location = { ...owner, block: key }
    const text = textOf(item && findBlock(item.document, key))
    return { kind: 'source-changed', location, pageTitle: title, source: text, ...texts }
  }
  if (conflict.about === 'field') {
    const { field, ours, theirs } = conflict
    if (typeof ours !== 'string' || typeof theirs !== 'string' || field === 'document' || field === 'slug')
      return undefined
    const text = item?.fields[field as keyof PageFields]
    const location = { ...owner, field }
    const source = typeof text === 'string' ? text : ''
    return { kind: 'source-changed', location, pageTitle: title, source, machine: ours, current: theirs }
  }
  if (conflict.about !== 'existence' || conflict.ours !== null) return undefined
  const message = 'The source was removed, and the translation with it. Earlier revisions contain what people changed'
  return { kind: 'removed', location: owner, pageTitle: title, source: '', machine: '', current: '', message }
}

interface SourceItem {
  title: string
  fields: Partial<PageFields>
  document: Document | undefined
}

async function readItem(tree: Tree, location: findings.FindingLocation): Promise<SourceItem | undefined> {
  if (location.page !== undefined) {
    const page = (await findPage(tree, location.page))?.page
    return page && { title: page.title, fields: page, document: await readDocument(tree.objects, page.document) }
  }
  const id = location.reusableContent ?? ''
  const entry = (await findInSorted(tree.objects, tree.root.reusableContents, [id])).get(id)
  if (!entry) return undefined
  const { title, document } = await readObject(tree.objects, 'reusable-content', entry.hash)
  return { title, fields: { title }, document: await readDocument(tree.objects, document) }
}

const readDocument = async (objects: Objects, hash: string | undefined): Promise<Document | undefined> =>
  hash === undefined ? undefined : (await readObject(objects, 'document', hash)).document

const findBlock = (document: Document | undefined, key: string): Block | undefined =>
  document && indexBlocks(document)?.get(key)?.block

const textOf = (block: Block | null | undefined): string => (block ? textOfBlocks([block], '\n') : '')

/** Resolves findings about texts that were changed again or no longer exist. */
async function resolveOutdated(
  { db, now }: SpaceContext,
  translation: StartedRun['translation'],
  tree: Tree,
): Promise<void> {
  const open = await findings.findFindings(db, translation, { status: 'open', after: undefined, limit: maxChecked })
  for (const finding of open) {
    if (finding.kind !== 'source-changed') continue
    const current = await readFindingText(tree, JSON.parse(finding.location) as findings.FindingLocation)
    if (current?.slice(0, maxTextLength) !== finding.current_text)
      await findings.resolveFinding(db, finding, { by: null, at: now() })
  }
}

/** Returns the text at the location of a finding; undefined if it does not exist. */
export async function readFindingText(tree: Tree, location: findings.FindingLocation): Promise<string | undefined> {
  const item = await readItem(tree, location)
  if (!item) return undefined
  if (location.block === undefined) return item.fields[(location.field ?? 'title') as 'title']
  const block = findBlock(item.document, location.block)
  return block && textOf(block)
}
