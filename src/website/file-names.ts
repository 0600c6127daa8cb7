import { uniqueSlug } from '../content/markdown/slug.ts'

/** Maximum length of a path segment; longer ones are truncated. */
const maxStepLength = 80
const maxSteps = 20

/** Assigns unique paths; paths that differ only in case are the same on many file systems. */
export class FileNames {
  readonly #taken: Set<string>

  constructor(taken: readonly string[] = []) {
    this.#taken = new Set(taken)
  }

  /** Returns the wanted path, with a number if it is taken; `ending` is appended. */
  take(wanted: string, ending = ''): string {
    const folder = wanted.slice(0, wanted.lastIndexOf('/') + 1)
    const fold = (name: string) => (folder + name + ending).toLowerCase()
    const name = uniqueSlug(wanted.slice(folder.length), (one) => this.#taken.has(fold(one)))
    this.#taken.add(fold(name))
    return folder + name + ending
  }
}

/** Converts the path of a URL to a readable relative path that is valid on every file system. */
export function safePath(path: string): string {
  return path.split('/').map(safeStep).filter(Boolean).slice(0, maxSteps).join('/')
}

/** Characters that are invalid in file names or need escaping in Markdown links. */
const unsafe = /[\p{C}\p{Z}<>:"|?*\\/#%[\]()`]+/gu

export function safeStep(step: string): string {
  const name = decoded(step).normalize('NFC').replace(unsafe, '-')
  // Files with a leading dot are hidden, and Windows does not support a trailing dot.
  const trimmed = name.replace(/^[.-]+/, '').slice(0, maxStepLength)
  return (trimmed.isWellFormed() ? trimmed : trimmed.slice(0, -1)).replace(/[.-]+$/, '')
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}
