import type { Conflict } from '../../content/revision/conflict.ts'
import { keptFields } from '../../content/revision/merge-values.ts'
import type { FindingLocation, FindingRow } from '../../domain/translations/finding-store.ts'
import type { LocatedProblem } from '../../translators/text-translator.ts'
import { locationOfTag, locationOfVariable, toFindingLocation } from './finding-locations.ts'
import { type FindingTexts, textOfBlock, toFindingText } from './finding-texts.ts'

/** A finding before it is stored. */
export interface Finding {
  kind: FindingRow['kind']
  location: FindingLocation
  pageTitle: string
  source: string
  machine: string
  current: string
  message?: string | undefined
}

/** Describes a text whose translation has a problem; empty if the text was translated by hand since then. */
export async function describeProblem(
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
export async function describeConflict(source: FindingTexts, conflict: Conflict): Promise<Finding[]> {
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

function describeField(
  location: FindingLocation & { field: string },
  { ours, theirs, message }: { ours: unknown; theirs: unknown; message?: string },
): ConflictSides | undefined {
  if (keptFields.has(location.field)) return describeValues(location, ours, theirs)
  // The documents of both sides together are too large; the one of the translated space was kept.
  return location.field === 'document' ? { ...describeValues(location, '', ''), message } : undefined
}

const describeValues = (location: FindingLocation, machine: unknown, current: unknown): ConflictSides => ({
  kind: 'source-changed',
  location,
  machine: toFindingText(machine) ?? '',
  current: toFindingText(current) ?? '',
})
