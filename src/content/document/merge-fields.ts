import { isEqualContent } from './block-groups.ts'

export type Side = 'base' | 'ours' | 'theirs'

/** Result of merging two versions of a value. In a conflict, `value` is that of the preferred side, usually ours. */
export interface MergedValue<T> {
  value: T
  isConflict: boolean
}

export function mergeValue<T>(
  base: T | undefined,
  ours: T,
  theirs: T,
  { isEqual = isEqualContent, prefer = 'ours' }: { isEqual?: typeof isEqualContent; prefer?: Side } = {},
): MergedValue<T> {
  if (isEqual(ours, theirs) || isEqual(base, theirs)) return { value: ours, isConflict: false }
  if (isEqual(base, ours)) return { value: theirs, isConflict: false }
  return { value: { base: base as T, ours, theirs }[prefer], isConflict: true }
}

type UnknownFields = Readonly<Record<string, unknown>>

/** Merges objects field by field; `merge` merges the values of one field. */
export function mergeFields<T extends object>(
  base: T | undefined,
  ours: T,
  theirs: T,
  merge: (name: string, base: unknown, ours: unknown, theirs: unknown) => MergedValue<unknown> = (_, ...values) =>
    mergeValue(...values),
): MergedValue<T> {
  const fields: [string, unknown][] = []
  let isConflict = false
  for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const merged = merge(name, getOwnValue(base, name), getOwnValue(ours, name), getOwnValue(theirs, name))
    if (merged.value !== undefined) fields.push([name, merged.value])
    isConflict ||= merged.isConflict
  }
  return { value: Object.fromEntries(fields) as T, isConflict }
}

/** Returns an own property; names are chosen by users and may equal inherited properties. */
function getOwnValue(fields: object | undefined, name: string): unknown {
  return fields && Object.hasOwn(fields, name) ? (fields as UnknownFields)[name] : undefined
}

export interface MergedNames {
  /** Names that remain. */
  names: Set<string>
  /** Names that one side removed and the other changed. */
  conflicts: string[]
}

/** Merges sets of names: a name that one side removed is removed, unless the other side changed it, which is a conflict. */
export function mergeNames(
  base: Iterable<string>,
  ours: Iterable<string>,
  theirs: Iterable<string>,
  isChangedByOurs: (name: string) => boolean,
  isChangedByTheirs: (name: string) => boolean,
  prefer: Side = 'ours',
): MergedNames {
  const [inBase, inOurs, inTheirs] = [new Set(base), new Set(ours), new Set(theirs)]
  const names = new Set<string>()
  const conflicts: string[] = []
  const addConflict = (name: string, isKept: boolean) => {
    conflicts.push(name)
    if (isKept) names.add(name)
  }
  for (const name of inOurs) {
    if (!inBase.has(name) || inTheirs.has(name)) names.add(name)
    else if (isChangedByOurs(name)) addConflict(name, prefer !== 'theirs')
  }
  for (const name of inTheirs) {
    if (!inBase.has(name)) names.add(name)
    else if (!inOurs.has(name) && isChangedByTheirs(name)) addConflict(name, prefer !== 'ours')
  }
  return { names, conflicts }
}
