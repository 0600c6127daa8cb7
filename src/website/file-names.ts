import { uniqueSlug } from '../content/markdown/slug.ts'

/** Steps of paths are cut to this. */
const maxStepLength = 80
const maxSteps = 20

/** Gives each path away once; paths that differ only in case are the same on many machines. */
export class FileNames {
  readonly #taken: Set<string>

  constructor(taken: readonly string[] = []) {
    this.#taken = new Set(taken)
  }

  /** The wanted path, or the same with a number; `ending` stays behind it. */
  take(wanted: string, ending = ''): string {
    const folder = wanted.slice(0, wanted.lastIndexOf('/') + 1)
    const fold = (name: string) => (folder + name + ending).toLowerCase()
    const name = uniqueSlug(wanted.slice(folder.length), (one) => this.#taken.has(fold(one)))
    this.#taken.add(fold(name))
    return folder + name + ending
  }
}

/** A path below a folder, from that of an address: readable, and safe on every machine. */
export function safePath(path: string): string {
  return path.split('/').map(safeStep).filter(Boolean).slice(0, maxSteps).join('/')
}

/** What neither files nor links in Markdown can have in their names without being written in another way. */
const unsafe = /[\p{C}\p{Z}<>:"|?*\\/#%[\]()`]+/gu

export function safeStep(step: string): string {
  const name = decoded(step).normalize('NFC').replace(unsafe, '-')
  // Names with a dot in front are hidden, those with one behind do not exist on Windows.
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
