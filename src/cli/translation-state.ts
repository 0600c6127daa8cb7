import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import { iterateReachableHashes } from '../content/revision/reachable-objects.ts'
import { Language } from '../contract/space.ts'
import { AppError } from '../kernel/errors.ts'
import { MemoryObjects } from '../storage/memory-objects.ts'
import type { TargetFolder } from './target-folder.ts'

/** File of a translated folder with the state of its last translation, as compressed JSON Lines. */
export const stateFile = '.octavo-translation.jsonl.gz'

/** File with the translations of a run that has not ended, as JSON Lines. */
export const journalFile = '.octavo-translation.partial.jsonl'

const ListedRoot = z.object({ root: z.string(), listing: z.string() })

/** First line of the file; lines of objects and of translated texts follow. */
const Head = z.object({
  version: z.literal(1),
  languages: z.object({ source: Language, target: Language }),
  /** The source that was translated. */
  source: ListedRoot,
  /** Its translation without edits of people. */
  machineRoot: z.string(),
  /** The translated folder after the run. */
  result: ListedRoot,
  /** Locations of texts that were not translated. */
  untranslated: z.array(
    z.object({
      page: z.string().optional(),
      reusableContent: z.string().optional(),
      block: z.string().optional(),
      field: z.string().optional(),
    }),
  ),
  /** Number of lines of objects. */
  objects: z.int(),
})
export type LatestRun = Omit<z.infer<typeof Head>, 'version' | 'objects'>

const StoredText = z.object({ text: z.string(), translation: z.string() })

type Languages = LatestRun['languages']

/** Objects in memory whose texts can be stored. */
class StoredObjects extends MemoryObjects {
  textOf(hash: string): string {
    return this.texts.get(hash) ?? ''
  }
}

/** State that a translated folder stores between runs: the latest run, its objects, and the translations of texts. */
export class TranslationState {
  readonly objects = new StoredObjects()
  #latest: LatestRun | undefined
  #addedTexts = 0
  readonly #target: TargetFolder
  /** Translations by `keyOfText`. */
  readonly #translations = new Map<string, string>()

  private constructor(target: TargetFolder) {
    this.#target = target
  }

  static async open(target: TargetFolder): Promise<TranslationState> {
    const state = new TranslationState(target)
    const stored = await target.readBytes(stateFile)
    if (stored) await state.#load(stored)
    const journal = (await target.readText(journalFile)) ?? ''
    for (const line of journal.split('\n')) {
      // The last line is incomplete if the process was killed.
      const entry = StoredText.safeParse(parseJson(line))
      if (entry.success) state.#translations.set(entry.data.text, entry.data.translation)
    }
    return state
  }

  /** The latest run; undefined before the first one has ended. */
  get latest(): LatestRun | undefined {
    return this.#latest
  }

  /** Number of texts that were translated and are not part of an ended run. */
  get addedTexts(): number {
    return this.#addedTexts
  }

  find(languages: Languages, texts: readonly string[]): Map<string, string> {
    const found = new Map<string, string>()
    for (const text of texts) {
      const translation = this.#translations.get(keyOfText(languages, text))
      if (translation !== undefined) found.set(text, translation)
    }
    return found
  }

  /** Stores translations at once, so that they are not lost if the run is interrupted. */
  async add(languages: Languages, translations: ReadonlyMap<string, string>): Promise<void> {
    if (translations.size === 0) return
    const entries = Array.from(translations, ([text, translation]) => ({
      text: keyOfText(languages, text),
      translation,
    }))
    for (const { text, translation } of entries) this.#translations.set(text, translation)
    this.#addedTexts += entries.length
    // Lines start with the separator, because the line before them may be incomplete.
    await this.#target.append(journalFile, entries.map((entry) => `\n${JSON.stringify(entry)}`).join(''))
  }

  /** Stores a run that has ended. The same run always results in the same bytes. */
  async save(latest: LatestRun): Promise<void> {
    const { source, machineRoot, result } = latest
    const roots = [source.root, source.listing, machineRoot, result.root, result.listing]
    const hashes: string[] = []
    for await (const batch of iterateReachableHashes(this.objects, roots)) hashes.push(...batch)
    const head: z.infer<typeof Head> = { version: 1, ...latest, objects: hashes.length }
    const texts = [...this.#translations].sort(([a], [b]) => (a < b ? -1 : 1))
    const lines = [
      JSON.stringify(head),
      ...hashes.sort().map((hash) => this.objects.textOf(hash)),
      ...texts.map(([text, translation]) => JSON.stringify({ text, translation })),
    ]
    const bytes = await promisify(gzip)(Buffer.concat(lines.map((line) => Buffer.from(`${line}\n`))))
    await this.#target.write(stateFile, (file) => file.writeFile(bytes))
    await this.#target.remove(journalFile)
    this.#latest = latest
    this.#addedTexts = 0
  }

  async #load(stored: Buffer): Promise<void> {
    try {
      const [first = '', ...lines] = splitLines(await promisify(gunzip)(stored))
      const { objects, version: _, ...latest } = Head.parse(JSON.parse(first))
      for (const line of lines.slice(0, objects)) this.objects.writeCanonical(line)
      for (const line of lines.slice(objects)) {
        const { text, translation } = StoredText.parse(JSON.parse(line))
        this.#translations.set(text, translation)
      }
      const { source, machineRoot, result } = latest
      await this.objects.read([source.root, source.listing, machineRoot, result.root, result.listing])
      this.#latest = latest
    } catch (error) {
      throw new AppError(
        'invalid',
        `${stateFile} of the translated folder cannot be read (${(error as Error).message.split('\n')[0]}). Restore it, or translate into another folder`,
      )
    }
  }
}

/** Splits bytes into lines, because all of them may be too long for one string. */
function splitLines(bytes: Buffer): string[] {
  const lines: string[] = []
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(10, start)
    lines.push(bytes.toString('utf8', start, end === -1 ? bytes.length : end))
    start = end === -1 ? bytes.length : end + 1
  }
  return lines
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const keyOfText = ({ source, target }: Languages, text: string): string =>
  createHash('sha256').update(`${source} ${target} ${text}`).digest('base64url')
