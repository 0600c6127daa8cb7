import type { ListedFile } from '../revision/objects.ts'
import { groupBy } from './groups.ts'
import { baseName, isMarkdown, nameOf } from './paths.ts'
import type { SourceFile } from './source.ts'

/** How alike two texts must be for one to be the other under a new name; with the same file name less will do. */
const likeness = 0.5
const likenessOfNamesakes = 0.3
/** A line that stands in so many of the files says nothing about any. */
const maxFilesOfLine = 20
/** How many files are compared by their text. */
const maxCompared = 2000

type TextsOf = (files: readonly SourceFile[]) => Promise<ReadonlyMap<string, string>>

export interface Comparison {
  /** The files that were there before, by their paths. */
  before: ReadonlyMap<string, ListedFile>
  after: readonly SourceFile[]
  /** The texts of files that were there before. */
  formerTexts: (files: readonly ListedFile[]) => Promise<ReadonlyMap<string, string>>
  texts: TextsOf
}

/** What each file was before: at its path, or else under another one that has gone. Files that are new are left out. */
export async function matchFiles(comparison: Comparison): Promise<Map<string, ListedFile>> {
  const { before, after } = comparison
  const matches = new Map<string, ListedFile>()
  const come: SourceFile[] = []
  for (const file of after) {
    const former = before.get(file.path)
    if (former) matches.set(file.path, former)
    else come.push(file)
  }
  const gone = new Set([...before.values()].filter(({ id, item }) => item !== undefined && !matches.has(id)))
  if (gone.size === 0 || come.length === 0) return matches

  const waiting = new Set(come)
  const meet = (file: SourceFile, former: ListedFile) => {
    matches.set(file.path, former)
    gone.delete(former)
    waiting.delete(file)
  }
  matchBy(
    (file) => `${file.oid} ${baseName(file.path)}`,
    ({ id, oid }) => `${oid} ${baseName(id)}`,
  )
  matchBy(
    (file) => file.oid,
    ({ oid }) => oid,
  )
  // `x.md` and `x/README.md` are the same page, before and after it got others in it.
  matchBy(
    (file) => nameOf(file.path),
    ({ id }) => nameOf(id),
  )
  for (const [file, former] of await matchByText(comparison, [...waiting], [...gone])) meet(file, former)
  return matches

  function matchBy(keyOf: (file: SourceFile) => string, formerKeyOf: (former: ListedFile) => string): void {
    const known = groupBy(gone, (former) => (former.oid === '' ? [] : [formerKeyOf(former)]))
    for (const file of waiting) {
      const candidates = known.get(keyOf(file))
      const former = candidates?.find((one) => gone.has(one) && (one.is === 'file') !== isMarkdown(file.path))
      if (former) meet(file, former)
    }
  }
}

async function matchByText(
  { texts, formerTexts }: Comparison,
  come: readonly SourceFile[],
  gone: readonly ListedFile[],
): Promise<[SourceFile, ListedFile][]> {
  const written = come.filter(({ path }) => isMarkdown(path)).slice(0, maxCompared)
  const former = gone.filter(({ hash }) => hash !== undefined).slice(0, maxCompared)
  if (written.length === 0 || former.length === 0) return []

  const formerLines = [...(await formerTexts(former))].map(([path, text]) => ({ path, lines: linesOf(text) }))
  const byPath = new Map(former.map((file) => [file.id, file]))
  const filesOfLine = groupBy(formerLines, ({ lines }) => [...lines])

  const pairs: { file: SourceFile; former: ListedFile; score: number }[] = []
  const readable = await texts(written)
  for (const file of written) {
    const lines = linesOf(readable.get(file.path))
    const shared = new Map<(typeof formerLines)[number], number>()
    for (const line of lines) {
      const files = filesOfLine.get(line) ?? []
      if (files.length > maxFilesOfLine) continue
      for (const other of files) shared.set(other, (shared.get(other) ?? 0) + 1)
    }
    for (const [other, count] of shared) {
      const score = (2 * count) / (lines.size + other.lines.size)
      const wanted = baseName(file.path) === baseName(other.path) ? likenessOfNamesakes : likeness
      const match = byPath.get(other.path)
      if (score >= wanted && match) pairs.push({ file, former: match, score })
    }
  }
  pairs.sort((a, b) => b.score - a.score)
  const found: [SourceFile, ListedFile][] = []
  const taken = new Set<SourceFile | ListedFile>()
  for (const { file, former: match } of pairs) {
    if (taken.has(file) || taken.has(match)) continue
    taken.add(file).add(match)
    found.push([file, match])
  }
  return found
}

const linesOf = (text: string | undefined) => new Set((text ?? '').split('\n').flatMap((line) => line.trim() || []))
