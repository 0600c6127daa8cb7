import { openTree } from '../../content/revision/tree.ts'
import * as findings from '../../domain/translations/finding-store.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import type { RunResult, StartedRun, TranslatedContent } from './run-content.ts'
import { type Finding, describeConflict, describeProblem } from './describe-findings.ts'
import { ownerOfLocation } from './finding-locations.ts'
import { FindingTexts } from './finding-texts.ts'

/** Maximum number of findings of one run; a run with more of them has a problem that the first ones show. */
const maxFindings = 5000

/** Maximum number of open findings that are checked again in one run. */
const maxChecked = 5000

/** Stores the findings of a run, and resolves earlier ones that no longer apply. */
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
  const yieldIfDue = createYielder()
  for (const problem of content.problems) {
    await yieldIfDue()
    found.push(...(await describeProblem(source, result, problem)))
  }
  for (const conflict of conflicts) {
    await yieldIfDue()
    found.push(...(await describeConflict(source, conflict)))
  }
  await resolveOutdated(context, translation, result, content, found)
  for (const finding of found.slice(0, maxFindings)) {
    await yieldIfDue()
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
}

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
  const yieldIfDue = createYielder()
  for (const finding of open) {
    await yieldIfDue()
    if (finding.kind === 'removed' || foundAgain.has(finding.location)) continue
    const location = JSON.parse(finding.location) as findings.FindingLocation
    const { kind, id } = ownerOfLocation(location)
    const owner = kind === 'tag' ? 'tags ' : `${kind} ${id}`
    const isTranslatedAgain = finding.kind !== 'source-changed' && translated.has(owner)
    if (isTranslatedAgain || ((await result.read(location)) ?? '') !== finding.current_text)
      await findings.resolveFinding(db, finding, { by: null, at: now() })
  }
}
