import { percentDecoded, withoutFinalSlashes } from './paths.ts'

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

  /** The Markdown file that a path names, which may leave out the ending, or name the folder of a README. */
  findPage(path: string): string | undefined {
    const bare = withoutFinalSlashes(path)
    if (bare === '') return this.find('README.md')
    const exact = path.endsWith('/') ? undefined : this.find(bare)
    if (exact !== undefined && /\.(?:md|markdown)$/i.test(exact)) return exact
    return this.find(`${bare}.md`) ?? this.find(`${bare}/README.md`)
  }
}

const folded = (path: string) => path.normalize('NFC').toLowerCase()
