import { isMarkdown, percentDecoded, withoutFinalSlashes } from './paths.ts'

/** The files of a repository, found by the ways in which tables of contents and links name them. */
export class RepositoryFiles {
  readonly paths: readonly string[]
  readonly #exact: ReadonlySet<string>
  /** By what is left when letters are taken as equal that look so. */
  readonly #folded: ReadonlyMap<string, string>

  constructor(paths: Iterable<string>) {
    this.paths = [...paths]
    this.#exact = new Set(this.paths)
    this.#folded = new Map(this.paths.toReversed().map((path) => [folded(path), path]))
  }

  /** The file that a path names: as it is, percent-decoded, or but for case and composition of letters. */
  find(path: string): string | undefined {
    const decoded = percentDecoded(path)
    if (this.#exact.has(path)) return path
    if (this.#exact.has(decoded)) return decoded
    return this.#folded.get(folded(decoded))
  }

  /**
   * The Markdown file that a path names, which may leave out the ending, or name the folder of a README. Of several,
   * one that is wanted comes first.
   */
  findPage(path: string, isWanted: (file: string) => boolean = () => true): string | undefined {
    const found = this.#candidates(path)
    return found.find(isWanted) ?? found[0]
  }

  /** A path that ends with a slash names a folder first, others a file. */
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
