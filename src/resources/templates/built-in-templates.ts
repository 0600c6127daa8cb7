import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { importRepository } from '../../content/repository/import.ts'
import { baseName, isMarkdown } from '../../content/repository/paths.ts'
import { type Tree, openTree } from '../../content/revision/tree.ts'
import type { TemplateRef } from '../../contract/template.ts'
import type { StoredFile } from '../../domain/files/store-file.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { newId } from '../../kernel/ids.ts'
import { timestamp } from '../../kernel/time.ts'
import { longTextSettings } from '../../parsing/parse.ts'
import { MemoryObjects } from '../../storage/memory-objects.ts'
import { createSourceFolder } from '../imports/source.ts'

const manifestFile = 'template.json'

/** Description of a template, next to its Markdown files. */
const Manifest = z.strictObject({
  title: z.string().min(1).max(50),
  subtitle: z.string(),
  emoji: z.string(),
  features: z.array(z.string()),
  contentRefs: z.record(z.string(), z.strictObject({ description: z.string(), url: z.url() })),
})

/** A folder of Markdown files that is delivered with the server. */
export interface BuiltInTemplate {
  id: string
  title: string
  subtitle: string
  emoji: string
  features: string[]
  /** Number of pages. */
  pages: number
  contentRefs: TemplateRef[]
  /** Texts of the Markdown and YAML files, by path. */
  texts: ReadonlyMap<string, string>
  /** Bytes of all other files, by path. */
  assets: ReadonlyMap<string, Uint8Array>
}

/** The built-in templates. They are read from the disk once, and each is parsed once, when it is first needed. */
export class BuiltInTemplates {
  readonly #folder: string
  #templates: Promise<ReadonlyMap<string, BuiltInTemplate>> | undefined
  readonly #trees = new Map<string, Promise<Tree>>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Returns all templates, sorted by id. */
  async list(): Promise<BuiltInTemplate[]> {
    return [...(await this.#load()).values()]
  }

  async find(id: string): Promise<BuiltInTemplate | undefined> {
    return (await this.#load()).get(id)
  }

  /** Returns the content of a template. Its files are not stored: their `blob` is their path in the folder. */
  openTree(template: BuiltInTemplate): Promise<Tree> {
    const stored = this.#trees.get(template.id)
    if (stored) return stored
    const parsing = parseTemplate(template).catch((error: unknown) => {
      // The next request tries again.
      this.#trees.delete(template.id)
      throw error
    })
    this.#trees.set(template.id, parsing)
    return parsing
  }

  #load(): Promise<ReadonlyMap<string, BuiltInTemplate>> {
    this.#templates ??= readTemplates(this.#folder).catch((error: unknown) => {
      // The next request tries again.
      this.#templates = undefined
      throw error
    })
    return this.#templates
  }
}

async function readTemplates(folder: string): Promise<ReadonlyMap<string, BuiltInTemplate>> {
  const entries = await readdir(folder, { withFileTypes: true })
  const ids = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const templates = await Promise.all(ids.toSorted().map((id) => readTemplate(join(folder, id), id)))
  return new Map(templates.map((template) => [template.id, template]))
}

async function readTemplate(folder: string, id: string): Promise<BuiltInTemplate> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .toSorted()
  const texts = new Map<string, string>()
  const assets = new Map<string, Uint8Array>()
  for (const path of paths) {
    const bytes = await readFile(join(folder, path))
    if (isMarkdown(path) || /\.(?:ya?ml|json)$/.test(path)) texts.set(path, bytes.toString('utf8'))
    else assets.set(path, bytes)
  }
  const { contentRefs, ...manifest } = Manifest.parse(JSON.parse(texts.get(manifestFile) ?? 'null'))
  texts.delete(manifestFile)
  return {
    id,
    ...manifest,
    pages: [...texts.keys()].filter((path) => isMarkdown(path) && path !== 'SUMMARY.md').length,
    contentRefs: Object.entries(contentRefs).map(([name, { description, url }]) => ({
      name,
      description,
      ref: { kind: 'url', url },
    })),
    texts,
    assets,
  }
}

async function parseTemplate({ id, texts, assets }: BuiltInTemplate): Promise<Tree> {
  const objects = new MemoryObjects()
  const files = new Map(
    Array.from(assets, ([path, bytes]): [string, StoredFile] => [
      path,
      { name: baseName(path), contentType: 'application/octet-stream', size: bytes.length, blob: path },
    ]),
  )
  const source = createSourceFolder(texts, files)
  const { root, problems } = await importRepository(objects, source, {
    newId,
    now: timestamp(0),
    yieldIfDue: createYielder(),
    // All texts are parsed in threads, because together they would block other requests.
    longTexts: { ...longTextSettings, maxCount: 0 },
  })
  if (problems.length > 0) throw new Error(`The template ${id} has problems: ${JSON.stringify(problems)}`)
  return openTree(objects, root)
}
