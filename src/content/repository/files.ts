import { isMarkdown, percentDecoded, withoutFinalSlashes } from './paths.ts'

/** Lookup of the files of a repository by the paths that tables of contents and links use. */
export class RepositoryFiles {
  readonly paths: readonly string[]
  readonly #exact: ReadonlySet<string>
  /** Paths by their NFC-normalized form in lower case. */
  readonly #folded: ReadonlyMap<string, string>

  constructor(paths: Iterable<string>) {
    this.paths = [...paths]
    this.#exact = new Set(this.paths)
    this.#folded = new Map(this.paths.toReversed().map((path) => [folded(path), path]))
  }

  /** Finds a file by its path: exactly, percent-decoded, or ignoring case and Unicode normalization. */
  find(path: string): string | undefined {
    const decoded = percentDecoded(path)
    if (this.#exact.has(path)) return path
    if (this.#exact.has(decoded)) return decoded
    return this.#folded.get(folded(decoded))
  }

  /**
   * Finds a Markdown file by a path that may omit the extension or be the folder of a README. If there are several, one for which
   * `isWanted` is true is preferred.
   */
  findPage(path: string, isWanted: (file: string) => boolean = () => true): string | undefined {
    const found = this.#candidates(path)
    return found.find(isWanted) ?? found[0]
  }

  /**
   * Returns the files that a path may refer to: for a path that ends with a slash, the README of the folder precedes the file.
   */
  #candidates(path: string): string[] {
    const bare = withoutFinalSlashes(path)
    const readme = this.find(bare === '' ? 'README.md' : `${bare}/README.md`)
    if (bare === '') return readme === undefined ? [] : [readme]
    const file = this.find(`${bare}.md`)
    const exact = path.endsWith('/') ? undefined : this.find(bare)
    const named = exact !== undefined && isMarkdown(exact) ? [exact] : []
    const others = path.endsWith('/') ? [readme, file] : [file, readme]
    return [...named, ...others].filter((one) => one !== undefined)
  }
}

const folded = (path: string) => path.normalize('NFC').toLowerCase()
