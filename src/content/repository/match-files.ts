import type { ListedFile } from '../revision/objects.ts'
import { groupByKeys } from './group-by-keys.ts'
import { baseName, isMarkdown, normalizePagePath } from './paths.ts'
import type { SourceFile } from './source.ts'

/** Minimum share of the longer of two texts that the other must contain to count as renamed, as in Git. */
const minSimilarity = 0.5
/** Minimum share of equal pieces if the file names are the same. */
const minSimilarityOfSameName = 0.3
/** Maximum number of files that contain a piece; more frequent pieces do not distinguish files. */
const maxFilesOfPiece = 20
/** Maximum number of files that a file is compared with. */
const maxCandidates = 20
/** Maximum number of files that are compared by text. */
const maxComparedFiles = 2000

type ReadTexts = (files: readonly SourceFile[]) => Promise<ReadonlyMap<string, string>>

export interface FileComparison {
  /** Files that existed before, by path. */
  before: ReadonlyMap<string, ListedFile>
  after: readonly SourceFile[]
  /** Returns the texts of files that existed before. */
  readFormerTexts: (files: readonly ListedFile[]) => Promise<ReadonlyMap<string, string>>
  readTexts: ReadTexts
}

/**
 * Finds the listed file that each file was before: at the same path, or at another path that no longer exists. New files are
 * omitted.
 */
export async function matchFiles(comparison: FileComparison): Promise<Map<string, ListedFile>> {
  const { before, after } = comparison
  const matches = new Map<string, ListedFile>()
  const added: SourceFile[] = []
  for (const file of after) {
    const former = before.get(file.path)
    if (former) matches.set(file.path, former)
    else added.push(file)
  }
  const removed = new Set([...before.values()].filter(({ id, item }) => item !== undefined && !matches.has(id)))
  if (removed.size === 0 || added.length === 0) return matches

  const unmatched = new Set(added)
  const match = (file: SourceFile, former: ListedFile) => {
    matches.set(file.path, former)
    removed.delete(former)
    unmatched.delete(file)
  }
  matchBy(
    (file) => `${file.oid} ${baseName(file.path)}`,
    ({ id, oid }) => `${oid} ${baseName(id)}`,
  )
  matchBy(
    (file) => file.oid,
    ({ oid }) => oid,
  )
  const pairs = await compareTexts(comparison, [...unmatched], [...removed])
  matchBest((pair) => (pair.similarity >= minSimilarity ? pair.similarity : undefined))
  // `x.md` and `x/README.md` are the same page, before and after it got child pages.
  matchBy(
    (file) => normalizePagePath(file.path),
    ({ id }) => normalizePagePath(id),
  )
  matchBest((pair) =>
    pair.sharedPieceRatio >= (pair.hasSameName ? minSimilarityOfSameName : minSimilarity)
      ? pair.sharedPieceRatio
      : undefined,
  )
  return matches

  function matchBest(scoreOf: (pair: TextComparison) => number | undefined): void {
    const scored = pairs.flatMap((pair) => {
      const score = scoreOf(pair)
      return score === undefined ? [] : [{ ...pair, score }]
    })
    scored.sort((a, b) => b.score - a.score || Number(b.hasSameName) - Number(a.hasSameName))
    for (const { file, former } of scored) if (unmatched.has(file) && removed.has(former)) match(file, former)
  }

  function matchBy(keyOf: (file: SourceFile) => string, formerKeyOf: (former: ListedFile) => string): void {
    const formerByKey = groupByKeys(removed, (former) => (former.oid === '' ? [] : [formerKeyOf(former)]))
    for (const file of unmatched) {
      const candidates = formerByKey.get(keyOf(file))
      const former = candidates?.find((one) => removed.has(one) && (one.is === 'file') !== isMarkdown(file.path))
      if (former) match(file, former)
    }
  }
}

/** Two files whose texts were compared. */
interface TextComparison {
  file: SourceFile
  former: ListedFile
  /** Share of the longer text that the other contains, as measured by Git. */
  similarity: number
  /** Share of equal pieces among the distinct pieces of both texts. */
  sharedPieceRatio: number
  hasSameName: boolean
}

async function compareTexts(
  { readTexts, readFormerTexts }: FileComparison,
  added: readonly SourceFile[],
  removed: readonly ListedFile[],
): Promise<TextComparison[]> {
  const markdownFiles = added.filter(({ path }) => isMarkdown(path)).slice(0, maxComparedFiles)
  const withText = removed.filter(({ hash }) => hash !== undefined).slice(0, maxComparedFiles)
  if (markdownFiles.length === 0 || withText.length === 0) return []

  const formerTextByPath = await readFormerTexts(withText)
  const formerFiles = withText.map((former) => ({ former, ...splitIntoPieces(formerTextByPath.get(former.id) ?? '') }))
  type FormerFile = (typeof formerFiles)[number]
  const filesOfPiece = groupByKeys(formerFiles, ({ pieces }) => [...pieces.keys()])
  const filesOfName = groupByKeys(formerFiles, ({ former }) => [baseName(former.id)])

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
    const sameNameFiles = (filesOfName.get(name) ?? []).slice(0, maxCandidates)
    const others = best.length === 0 ? common.slice(0, maxCandidates) : []
    return new Set([...best.map(([one]) => one), ...sameNameFiles, ...others])
  }

  const textByPath = await readTexts(markdownFiles)
  return markdownFiles.flatMap((file) => {
    const { pieces, size } = splitIntoPieces(textByPath.get(file.path) ?? '')
    const name = baseName(file.path)
    return Array.from(candidatesFor(name, pieces), (other): TextComparison => {
      let [sharedSize, sharedCount] = [0, 0]
      for (const [piece, length] of pieces) {
        const formerLength = other.pieces.get(piece)
        if (formerLength === undefined) continue
        sharedCount++
        sharedSize += Math.min(length, formerLength)
      }
      return {
        file,
        former: other.former,
        similarity: sharedSize / Math.max(size, other.size, 1),
        sharedPieceRatio: (2 * sharedCount) / Math.max(pieces.size + other.pieces.size, 1),
        hasSameName: name === baseName(other.former.id),
      }
    })
  })
}

/** Maximum length of a piece; longer lines are split. */
const maxPieceLength = 64

/** Splits a text into the pieces by which Git compares texts, with the total length of each. */
function splitIntoPieces(text: string): { pieces: Map<string, number>; size: number } {
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
