export interface Import {
  from: string
  to: string
}

/** Returns the specifiers of all imports of a module: static, re-exported and dynamic ones. */
export function findImports(text: string): string[] {
  const found = text.matchAll(/(?:\bfrom\s+|\bimport\s+|\bimport\(\s*)'([^'\n]+)'/g)
  return [...new Set(Array.from(found, (match) => match[1] as string))]
}

/** Returns each cycle that a depth-first search of the imports finds, as a path that ends where it starts. */
export function findCycles(imports: readonly Import[]): string[][] {
  const targets = new Map<string, Set<string>>()
  for (const { from, to } of imports) {
    if (from === to) continue
    const known = targets.get(from) ?? new Set()
    targets.set(from, known.add(to))
  }
  const cycles: string[][] = []
  const done = new Set<string>()
  const visit = (name: string, path: string[]): void => {
    if (path.includes(name)) {
      cycles.push([...path.slice(path.indexOf(name)), name])
      return
    }
    if (done.has(name)) return
    for (const target of targets.get(name) ?? []) visit(target, [...path, name])
    done.add(name)
  }
  for (const name of targets.keys()) visit(name, [])
  return cycles
}

interface Query {
  table: string
  isWrite: boolean
}

/** Returns the names after the keywords of queries, in calls of the query builder and in SQL texts. */
export function findQueries(text: string): Query[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '')
  const queries: Query[] = []
  for (const [, method = '', list = ''] of code.matchAll(
    /\.(selectFrom|innerJoin|leftJoin|rightJoin|fullJoin|crossJoin|from|using|insertInto|replaceInto|mergeInto|updateTable|deleteFrom)\(\s*(\[[^\]]*\]|'[^']*')/g,
  )) {
    const isWrite = /^(?:insert|replace|merge|update|delete)/.test(method)
    for (const [, table = ''] of list.matchAll(/'(\w+)/g)) queries.push({ table, isWrite })
  }
  const sql = code.replace(/'[^'\n]*'/g, "''")
  for (const [, keyword = '', table = ''] of sql.matchAll(
    /\b(insert\s+into|update|delete\s+from|(?<!delete\s+)from|join)\s+(\w+)/g,
  )) {
    queries.push({ table, isWrite: /^(?:insert|update|delete)/.test(keyword) })
  }
  return queries
}
