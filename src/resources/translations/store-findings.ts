import type { Conflict } from '../../content/revision/conflict.ts'
import { openTree } from '../../content/revision/tree.ts'
import * as findings from '../../domain/translations/finding-store.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import type { LocatedProblem } from '../../translators/text-translator.ts'
import type { RunResult, StartedRun, TranslatedContent } from './run-content.ts'
import { locationOfTag, locationOfVariable, ownerOfLocation, toFindingLocation } from './finding-locations.ts'
import { FindingTexts, textOfBlock, toFindingText } from './finding-texts.ts'

/** A finding before it is stored. */
export interface Finding {
  kind: findings.FindingRow['kind']
  location: findings.FindingLocation
  pageTitle: string
  source: string
  machine: string
  current: string
  message?: string | undefined
}

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
  const source = new FindingTexts(await openTree(objects, content.sourceRevision.root_hash))
  const result = new FindingTexts(await openTree(objects, rootHash))
  const found: Finding[] = []
  for (const problem of content.problems) found.push(...(await describeProblem(source, result, problem)))
  for (const conflict of conflicts) found.push(...(await describeConflict(source, conflict)))
  await resolveOutdated(context, translation, result, content, found)
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
      source_text: finding.source,
      machine_text: finding.machine,
      current_text: finding.current,
      message: finding.message ?? null,
      status: 'open',
      resolved_by: null,
      resolved_at: null,
      created_at: now(),
    })
}

/** Describes a text whose translation has a problem, unless somebody has translated it in the meantime. */
async function describeProblem(
  source: FindingTexts,
  result: FindingTexts,
  { kind, message, owner, location: place }: LocatedProblem,
): Promise<Finding[]> {
  const location = toFindingLocation(owner, place)
  const [text = '', current = ''] = [await source.read(location), await result.read(location)]
  if (kind === 'not-translated' && current !== text) return []
  return [{ kind, location, pageTitle: owner.title, source: text, machine: '', current, message }]
}

/** Describes a text that people and the source changed, or something that people changed and the source removed. */
async function describeConflict(source: FindingTexts, conflict: Conflict): Promise<Finding[]> {
  const described = describeSides(conflict)
  if (!described) return []
  const { location, ...sides } = described
  return [
    {
      location,
      pageTitle: await source.readTitle(location),
      source: (await source.read(location)) ?? '',
      ...sides,
    },
  ]
}

type ConflictSides = Pick<Finding, 'kind' | 'location' | 'machine' | 'current' | 'message'>

/** Returns the texts of both sides of a conflict; undefined for conflicts about positions and other structure. */
function describeSides(conflict: Conflict): ConflictSides | undefined {
  if (conflict.on === 'file') return undefined
  if (conflict.on === 'variable')
    return describeValues(locationOfVariable(conflict.name), conflict.ours, conflict.theirs)
  if (conflict.on === 'tag')
    return describeValues(locationOfTag(conflict.slug), conflict.ours?.label, conflict.theirs?.label)
  const owner = conflict.on === 'page' ? { page: conflict.page } : { reusableContent: conflict.reusableContent }
  switch (conflict.about) {
    case 'block': {
      const { block } = conflict
      if (block.part !== undefined) return undefined
      const [ours, theirs] = [block.ours && textOfBlock(block.ours), block.theirs && textOfBlock(block.theirs)]
      return describeValues({ ...owner, block: block.key }, ours, theirs)
    }
    case 'field':
      return describeField({ ...owner, field: conflict.field }, conflict)
    case 'existence':
      if (conflict.ours !== null) return undefined
      return {
        kind: 'removed',
        location: owner,
        machine: '',
        current: '',
        message: 'The source was removed, and the translation with it. Earlier revisions contain what people changed',
      }
    case 'place':
      return undefined
  }
}

/** Fields of pages that are kept as people changed them. */
const keptFields: ReadonlySet<string> = new Set(['title', 'linkTitle', 'description', 'variables'])

function describeField(
  location: findings.FindingLocation & { field: string },
  { ours, theirs, message }: { ours: unknown; theirs: unknown; message?: string },
): ConflictSides | undefined {
  if (keptFields.has(location.field)) return describeValues(location, ours, theirs)
  // The documents of both sides together are too large; the one of the translated space was kept.
  return location.field === 'document' ? { ...describeValues(location, '', ''), message } : undefined
}

const describeValues = (location: findings.FindingLocation, machine: unknown, current: unknown): ConflictSides => ({
  kind: 'source-changed',
  location,
  machine: toFindingText(machine) ?? '',
  current: toFindingText(current) ?? '',
})

/**
 * Resolves findings about texts that were changed since then or no longer exist, and those about translations of items that were
 * translated again without the problem.
 */
async function resolveOutdated(
  { db, now }: SpaceContext,
  translation: StartedRun['translation'],
  result: FindingTexts,
  { items }: TranslatedContent,
  found: readonly Finding[],
): Promise<void> {
  const foundAgain = new Set(found.map(({ location }) => JSON.stringify(location)))
  const translated = new Set(items.map(({ kind, id }) => `${kind} ${id}`))
  const open = await findings.findFindings(db, translation, { status: 'open', after: undefined, limit: maxChecked })
  for (const finding of open) {
    if (finding.kind === 'removed' || foundAgain.has(finding.location)) continue
    const location = JSON.parse(finding.location) as findings.FindingLocation
    const { kind, id } = ownerOfLocation(location)
    const owner = kind === 'tag' ? 'tags ' : `${kind} ${id}`
    const isTranslatedAgain = finding.kind !== 'source-changed' && translated.has(owner)
    if (isTranslatedAgain || ((await result.read(location)) ?? '') !== finding.current_text)
      await findings.resolveFinding(db, finding, { by: null, at: now() })
  }
}
