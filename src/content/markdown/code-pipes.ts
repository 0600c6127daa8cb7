import { type MdTable, type Root, type TableRow, endOffset, startOffset } from './mdast.ts'

// Pipes in code spans separate cells too. In a row that has more cells than its table has columns, the pipes in code spans were
// most likely meant as code, so they are treated as part of the code.

/** Returns the offsets of the pipes in code spans in rows that are wider than their header, sorted. */
export function findCodePipes(root: Root, source: string): number[] {
  const offsets: number[] = []
  const waiting: { type: string; children?: readonly unknown[] }[] = [root]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'table') {
      for (const row of wideRows(node as MdTable)) for (const offset of pipesOfRow(row, source)) offsets.push(offset)
    } else if (mayContainTables.has(node.type))
      for (const child of node.children ?? []) waiting.push(child as { type: string; children?: readonly unknown[] })
  }
  return offsets.sort((a, b) => a - b)
}

const mayContainTables = new Set(['root', 'blockquote', 'list', 'listItem', 'footnoteDefinition'])

function wideRows({ children: [header, ...rows] }: MdTable): TableRow[] {
  const width = header?.children.length ?? 0
  return rows.filter((row) => row.children.length > width)
}

function pipesOfRow(row: TableRow, source: string): number[] {
  const start = startOffset(row)
  return findCodePipesInLine(source.slice(start, endOffset(row))).map((offset) => start + offset)
}

/**
 * Returns the offsets of the unescaped pipes in the code spans of a line; a code span ends at a run of the same number of
 * backticks.
 */
export function findCodePipesInLine(line: string): number[] {
  const runs = Array.from(line.matchAll(/\\.|`+/g)).filter(([run]) => run.startsWith('`'))
  const ends = new Map<number, number[]>()
  for (const run of runs.toReversed()) {
    const ofLength = ends.get(run[0].length) ?? []
    ofLength.push(run.index)
    ends.set(run[0].length, ofLength)
  }
  const pipes: number[] = []
  let lastEnd = 0
  for (const run of runs) {
    const [{ length }, from] = [run[0], run.index + run[0].length]
    const ofLength = ends.get(length) ?? []
    while (ofLength.length > 0 && (ofLength.at(-1) as number) < from) ofLength.pop()
    const end = ofLength.at(-1)
    if (run.index < lastEnd || end === undefined) continue
    lastEnd = end + length
    for (const { 0: pipe, index } of line.slice(from, end).matchAll(/\\.|\|/g))
      if (pipe === '|') pipes.push(from + index)
  }
  return pipes
}
