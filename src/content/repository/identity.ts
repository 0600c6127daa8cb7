import type { ListedFile } from '../revision/objects.ts'
import { groupBy } from './groups.ts'
import { baseName, isMarkdown, normalizedName } from './paths.ts'
import type { SourceFile } from './source.ts'

/** Minimum share of the longer of two texts that the other must contain to count as renamed, as in Git. */
const likeness = 0.5
/** Minimum share of equal pieces if the file names are the same. */
const likenessOfNamesakes = 0.3
/** Maximum number of files that contain a piece; more frequent pieces do not distinguish files. */
const maxFilesOfPiece = 20
/** Maximum number of files that a file is compared with. */
const maxCandidates = 20
/** Maximum number of files that are compared by text. */
const maxCompared = 2000

type TextsOf = (files: readonly SourceFile[]) => Promise<ReadonlyMap<string, string>>

export interface FileComparison {
  /** Files that existed before, by path. */
  before: ReadonlyMap<string, ListedFile>
  after: readonly SourceFile[]
  /** Returns the texts of files that existed before. */
  formerTexts: (files: readonly ListedFile[]) => Promise<ReadonlyMap<string, string>>
  texts: TextsOf
}

/**
 * Finds the listed file that each file was before: at the same path, or at another path that no longer exists. New files are
 * omitted.
 */
export async function matchFiles(comparison: FileComparison): Promise<Map<string, ListedFile>> {
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
  const pairs = await comparedTexts(comparison, [...waiting], [...gone])
  meetBest((pair) => (pair.likeness >= likeness ? pair.likeness : undefined))
  // `x.md` and `x/README.md` are the same page, before and after it got child pages.
  matchBy(
    (file) => normalizedName(file.path),
    ({ id }) => normalizedName(id),
  )
  meetBest((pair) =>
    pair.sharedPieces >= (pair.isNamesake ? likenessOfNamesakes : likeness) ? pair.sharedPieces : undefined,
  )
  return matches

  function meetBest(scoreOf: (pair: ComparedTexts) => number | undefined): void {
    const scored = pairs.flatMap((pair) => {
      const score = scoreOf(pair)
      return score === undefined ? [] : [{ ...pair, score }]
    })
    scored.sort((a, b) => b.score - a.score || Number(b.isNamesake) - Number(a.isNamesake))
    for (const { file, former } of scored) if (waiting.has(file) && gone.has(former)) meet(file, former)
  }

  function matchBy(keyOf: (file: SourceFile) => string, formerKeyOf: (former: ListedFile) => string): void {
    const known = groupBy(gone, (former) => (former.oid === '' ? [] : [formerKeyOf(former)]))
    for (const file of waiting) {
      const candidates = known.get(keyOf(file))
      const former = candidates?.find((one) => gone.has(one) && (one.is === 'file') !== isMarkdown(file.path))
      if (former) meet(file, former)
    }
  }
}

/** Two files whose texts were compared. */
interface ComparedTexts {
  file: SourceFile
  former: ListedFile
  /** Share of the longer text that the other contains, as measured by Git. */
  likeness: number
  /** Share of equal pieces among the distinct pieces of both texts. */
  sharedPieces: number
  isNamesake: boolean
}

async function comparedTexts(
  { texts, formerTexts }: FileComparison,
  come: readonly SourceFile[],
  gone: readonly ListedFile[],
): Promise<ComparedTexts[]> {
  const written = come.filter(({ path }) => isMarkdown(path)).slice(0, maxCompared)
  const withText = gone.filter(({ hash }) => hash !== undefined).slice(0, maxCompared)
  if (written.length === 0 || withText.length === 0) return []

  const readBefore = await formerTexts(withText)
  const formerFiles = withText.map((former) => ({ former, ...piecesOf(readBefore.get(former.id) ?? '') }))
  type FormerFile = (typeof formerFiles)[number]
  const filesOfPiece = groupBy(formerFiles, ({ pieces }) => [...pieces.keys()])
  const filesOfName = groupBy(formerFiles, ({ former }) => [baseName(former.id)])

  const candidatesFor = (name: string, pieces: ReadonlyMap<string, number>): Iterable<FormerFile> => {
    const shared = new Map<FormerFile, number>()
    let common: readonly FormerFile[] = []
    for (const [piece, length] of pieces) {
      const files = filesOfPiece.get(piece) ?? []
      if (files.length > maxFilesOfPiece) {
        if (common.length === 0 || files.length < common.length) common = files
      } else for (const other of files) shared.set(other, (shared.get(other) ?? 0) + length)
    }
    const best = [...shared].sort(([, one], [, other]) => other - one).slice(0, maxCandidates)
    const namesakes = (filesOfName.get(name) ?? []).slice(0, maxCandidates)
    const others = best.length === 0 ? common.slice(0, maxCandidates) : []
    return new Set([...best.map(([one]) => one), ...namesakes, ...others])
  }

  const readable = await texts(written)
  return written.flatMap((file) => {
    const { pieces, size } = piecesOf(readable.get(file.path) ?? '')
    const name = baseName(file.path)
    return Array.from(candidatesFor(name, pieces), (other): ComparedTexts => {
      let [sharedSize, sharedCount] = [0, 0]
      for (const [piece, length] of pieces) {
        const there = other.pieces.get(piece)
        if (there === undefined) continue
        sharedCount++
        sharedSize += Math.min(length, there)
      }
      return {
        file,
        former: other.former,
        likeness: sharedSize / Math.max(size, other.size, 1),
        sharedPieces: (2 * sharedCount) / Math.max(pieces.size + other.pieces.size, 1),
        isNamesake: name === baseName(other.former.id),
      }
    })
  })
}

/** Maximum length of a piece; longer lines are split. */
const maxPieceLength = 64

/** Splits a text into the pieces by which Git compares texts, with the total length of each. */
function piecesOf(text: string): { pieces: Map<string, number>; size: number } {
  const pieces = new Map<string, number>()
  const add = (piece: string) => pieces.set(piece, (pieces.get(piece) ?? 0) + piece.length)
  const normal = text.replaceAll('\r\n', '\n')
  for (let start = 0; start < normal.length;) {
    const newline = normal.indexOf('\n', start)
    const end = newline === -1 ? normal.length : newline + 1
    for (let at = start; at < end; at += maxPieceLength) add(normal.slice(at, Math.min(at + maxPieceLength, end)))
    start = end
  }
  // Blank lines do not distinguish files.
  pieces.delete('\n')
  let size = 0
  for (const length of pieces.values()) size += length
  return { pieces, size }
}
