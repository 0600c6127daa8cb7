import { uniqueSlug } from '../content/markdown/slug.ts'
import { decodePercent } from '../kernel/decode-percent.ts'

/** Maximum length of a path segment; longer ones are truncated. */
const maxSegmentLength = 80
const maxSegments = 20

/** Assigns unique paths; paths that differ only in case are the same on many file systems. */
export class UniquePaths {
  readonly #taken: Set<string>

  constructor(taken: readonly string[] = []) {
    this.#taken = new Set(taken)
  }

  /** Returns the wanted path, with a number if it is taken; `extension` is appended. */
  assign(wanted: string, extension = ''): string {
    const folder = wanted.slice(0, wanted.lastIndexOf('/') + 1)
    const toKey = (name: string) => (folder + name + extension).toLowerCase()
    const name = uniqueSlug(wanted.slice(folder.length), (one) => this.#taken.has(toKey(one)))
    this.#taken.add(toKey(name))
    return folder + name + extension
  }
}

/** Converts the path of a URL to a readable relative path that is valid on every file system. */
export function safePath(path: string): string {
  return path.split('/').map(safeSegment).filter(Boolean).slice(0, maxSegments).join('/')
}

/** Characters that are invalid in file names or need escaping in Markdown links. */
const unsafe = /[\p{C}\p{Z}<>:"|?*\\/#%[\]()`]+/gu

export function safeSegment(segment: string): string {
  const name = decodePercent(segment).normalize('NFC').replace(unsafe, '-')
  // Files with a leading dot are hidden, and Windows does not support a trailing dot.
  const trimmed = name.replace(/^[.-]+/, '').slice(0, maxSegmentLength)
  return (trimmed.isWellFormed() ? trimmed : trimmed.slice(0, -1)).replace(/[.-]+$/, '')
}
