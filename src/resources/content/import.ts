import { identify } from '../../content/document/identify.ts'
import { isExpression } from '../../content/expression/index.ts'
import { parsePage } from '../../content/markdown/parse.ts'
import { type PageMetadata, readFrontMatter } from '../../content/markdown/front-matter.ts'
import { Draft, type PageBody } from '../../content/revision/draft.ts'
import { type FileObject, emptyRoot } from '../../content/revision/objects.ts'
import { RepositoryFiles } from '../../content/repository/files.ts'
import { type PlannedPage, type RepositoryProblem, planRepository } from '../../content/repository/plan.ts'
import { type RepositoryNames, referencesFrom } from '../../content/repository/references.ts'
import type { ObjectStore } from '../../kernel/context.ts'

/** Files as they lie in a folder, with paths from its top. */
export interface SourceFiles {
  paths: readonly string[]
  /** The text of a Markdown file. */
  read(path: string): string
  /** What becomes of the others, as far as pages refer to them. */
  assets: ReadonlyMap<string, Omit<FileObject, 'kind'>>
}

export interface Imported {
  rootHash: string
  problems: RepositoryProblem[]
}

/** Writes the content that a folder of Markdown holds; returns the hash of its root. */
export async function importFiles(
  objects: ObjectStore,
  { newId, now }: { newId: () => string; now: () => string },
  source: SourceFiles,
): Promise<Imported> {
  const files = new RepositoryFiles(source.paths)
  const summary = files.find('SUMMARY.md')
  const plan = planRepository({
    files,
    newId,
    ...(summary !== undefined && { summary: { file: summary, text: source.read(summary) } }),
  })
  const draft = new Draft({ objects, root: emptyRoot })
  const assetOfFile = new Map<string, string>()
  for (const [path, file] of source.assets) {
    const id = newId()
    assetOfFile.set(path, id)
    draft.files.set(id, file)
  }
  const names = { files, pageOfFile: plan.pageOfFile, assetOfFile, reusableContentOfFile: new Map<string, string>() }
  const problems = [...plan.problems]
  const waiting = plan.pages.map((page) => ({ page, into: null as string | null }))
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { page, into } = next
    const type = page.what.type
    const body = bodyOf(objects, names, source, page, now(), problems)
    await draft.insertPage({ id: page.id, type, slug: page.slug, body }, { into })
    waiting.push(...page.children.map((child) => ({ page: child, into: page.id })))
  }
  const rootHash = await draft.commit()
  await objects.flush()
  return { rootHash, problems }
}

function bodyOf(
  objects: ObjectStore,
  names: RepositoryNames,
  source: SourceFiles,
  { title, linkTitle, what }: PlannedPage,
  now: string,
  problems: RepositoryProblem[],
): PageBody {
  const base = { title, ...(linkTitle !== undefined && { linkTitle }), createdAt: now, updatedAt: now }
  switch (what.type) {
    case 'group':
      return base
    case 'link':
      return { ...base, target: referencesFrom(names, '').read(what.destination) }
    case 'computed':
      return { ...base, computed: what.source }
    case 'document': {
      if (what.file === undefined) return base
      const references = referencesFrom(names, what.file)
      const page = parsePage(source.read(what.file), { references, isExpression })
      const front = page.frontMatter === undefined ? undefined : readFrontMatter(page.frontMatter, references)
      for (const { path, message } of front?.problems ?? []) {
        problems.push({ file: what.file, message: `front matter ${path}: ${message}` })
      }
      const { title: said, ...metadata }: PageMetadata = front?.metadata ?? {}
      const document = objects.write({ kind: 'document', document: identify(undefined, page.document) })
      return { ...base, ...metadata, title: page.title ?? said ?? title, document }
    }
  }
}
