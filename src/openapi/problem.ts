/** Something that is wrong with a specification, for the person who wrote it. */
export interface SpecProblem {
  message: string
  /** Line in the file, counted from 1. */
  line?: number
  /** JSON pointer of the value in the file. */
  path?: string
  /** Address of the file, unless it is the first file of the specification. */
  file?: string
}

/** Returns a problem as one sentence with its position. */
export function formatProblem({ message, line, path, file }: SpecProblem): string {
  const position = [
    file,
    line === undefined ? undefined : `line ${line}`,
    path === undefined || path === '' ? undefined : path,
  ].filter((part) => part !== undefined)
  return position.length === 0 ? message : `${position.join(', ')}: ${message}`
}
