import { isMarkdown, decodeFilePath, stripTrailingSlashes } from './paths.ts'

/** Lookup of the files of a repository by the paths that tables of contents and links use. */
export class RepositoryFiles {
  readonly paths: readonly string[]
  readonly #pathSet: ReadonlySet<string>
  /** Paths by their NFC-normalized form in lower case. */
  readonly #byFoldedPath: ReadonlyMap<string, string>

  constructor(paths: Iterable<string>) {
    this.paths = [...paths]
    this.#pathSet = new Set(this.paths)
    this.#byFoldedPath = new Map(this.paths.toReversed().map((path) => [foldPath(path), path]))
  }

  /** Finds a file by its path: exactly, percent-decoded, or ignoring case and Unicode normalization. */
  find(path: string): string | undefined {
    const decoded = decodeFilePath(path)
    if (this.#pathSet.has(path)) return path
    if (this.#pathSet.has(decoded)) return decoded
    return this.#byFoldedPath.get(foldPath(decoded))
  }

  /**
   * Finds a Markdown file by a path that may omit the extension or be the folder of a README. If there are several, one for which
   * `isPreferred` is true is preferred.
   */
  findPage(path: string, isPreferred: (file: string) => boolean = () => true): string | undefined {
    const found = this.#candidates(path)
    return found.find(isPreferred) ?? found[0]
  }

  /**
   * Returns the files that a path may refer to: for a path that ends with a slash, the README of the folder precedes the file.
   */
  #candidates(path: string): string[] {
    const trimmedPath = stripTrailingSlashes(path)
    const readme = this.find(trimmedPath === '' ? 'README.md' : `${trimmedPath}/README.md`)
    if (trimmedPath === '') return readme === undefined ? [] : [readme]
    const file = this.find(`${trimmedPath}.md`)
    const exact = path.endsWith('/') ? undefined : this.find(trimmedPath)
    const named = exact !== undefined && isMarkdown(exact) ? [exact] : []
    const others = path.endsWith('/') ? [readme, file] : [file, readme]
    return [...named, ...others].filter((one) => one !== undefined)
  }
}

const foldPath = (path: string) => path.normalize('NFC').toLowerCase()
