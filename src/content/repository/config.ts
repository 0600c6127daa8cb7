import { isMap } from 'yaml'
import { joinPath } from './paths.ts'
import type { RepositoryProblem } from './source.ts'
import { type TextEdit, replaceScalar, withEdits } from './yaml-edits.ts'
import { YamlFile, isNothing, scalarText, truncateForMessage } from './yaml-text.ts'

/** Names of the configuration file, in the order of lookup. */
export const configFiles = ['.octavo.yaml', '.gitbook.yaml', '.gitbook.yml'] as const

/** Names of the folder that contains files other than pages. */
export const contentFolders = ['.gitbook', '.octavo'] as const

/** Configuration of a repository. */
export interface RepositoryConfig {
  /** Folder of the content, without a trailing slash; empty for the top-level folder. All other paths are relative to it. */
  root: string
  readme: string
  summary: string
  redirects: { from: string; to: string; line: number }[]
}

/** Parses the configuration of a repository. Invalid values are reported as problems and replaced by defaults. */
export function readRepositoryConfig(
  source: string,
  file: string,
): { config: RepositoryConfig; problems: RepositoryProblem[] } {
  const yaml = new YamlFile(source, file)
  return { config: readConfig(yaml), problems: yaml.problems }
}

function readConfig(yaml: YamlFile): RepositoryConfig {
  const config: RepositoryConfig = { root: '', readme: 'README.md', summary: 'SUMMARY.md', redirects: [] }
  const keys = mapIn(yaml, yaml.root, 'The configuration')
  const structure = mapIn(yaml, keys?.get('structure')?.value, '`structure`')
  config.root = pathIn(yaml, keys?.get('root')?.value, '`root`') ?? config.root
  config.readme = pathIn(yaml, structure?.get('readme')?.value, '`structure.readme`') || config.readme
  config.summary = pathIn(yaml, structure?.get('summary')?.value, '`structure.summary`') || config.summary
  config.redirects = redirectsIn(yaml, keys?.get('redirects')?.value).map(({ from, to, line }) => ({ from, to, line }))
  return config
}

type Entries = ReturnType<YamlFile['entries']>

function mapIn(yaml: YamlFile, node: unknown, name: string): Entries | undefined {
  if (isMap(node)) return yaml.entries(node)
  if (!isNothing(node)) yaml.problem(node, `${name} must be a mapping of keys to values`)
  return undefined
}

function pathIn(yaml: YamlFile, node: unknown, name: string): string | undefined {
  const text = yaml.text(node, name)
  if (text === undefined) return undefined
  const path = joinPath('', text.trim())
  return path === undefined ? yaml.problem(node, `${name} points outside the repository`) : path.replace(/\/$/, '')
}

interface Redirect {
  from: string
  to: string
  line: number
  value: unknown
}

function redirectsIn(yaml: YamlFile, node: unknown): Redirect[] {
  const redirects = new Map<string, Redirect>()
  for (const [written, { key, value }] of mapIn(yaml, node, '`redirects`') ?? []) {
    const name = `The target of ${truncateForMessage(written)}`
    const from = joinPath('', written.trim())?.replace(/\/$/, '')
    const target = yaml.text(value, name)?.trim()
    const to = target === undefined ? undefined : targetPath(target)
    if (!from) yaml.problem(key, `${truncateForMessage(written)} is not a valid path for a redirect`)
    else if (redirects.has(from))
      yaml.problem(key, `Duplicate redirect ${truncateForMessage(from)}; only the first one is used`)
    else if (isNothing(value) || target === '') yaml.problem(key, `${name} is missing`)
    else if (target !== undefined && to === undefined) yaml.problem(value, `${name} points outside the repository`)
    else if (to !== undefined) redirects.set(from, { from, to, line: yaml.lineOf(key), value })
  }
  return [...redirects.values()]
}

/**
 * Returns the target of a redirect as a path relative to the content root, with its query and anchor; a URL is returned
 * unchanged.
 */
function targetPath(target: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(target)) return target
  const at = target.search(/[?#]/)
  const path = joinPath('', at === -1 ? target : target.slice(0, at))
  return path === undefined ? undefined : path + (at === -1 ? '' : target.slice(at))
}

/** Changes the targets of redirects in a configuration, by their source paths. Everything else remains unchanged. */
export function printConfigOver(source: string, redirects: ReadonlyMap<string, string>): string {
  const yaml = new YamlFile(source, '')
  if (!isMap(yaml.root)) return source
  const edits = redirectsIn(yaml, yaml.entries(yaml.root).get('redirects')?.value).flatMap(
    ({ from, to, value }): TextEdit[] => {
      const wanted = redirects.get(from)
      if (wanted === undefined || wanted === to) return []
      const start = scalarText(value)?.startsWith('./') && targetPath(`./${wanted}`) === wanted ? './' : ''
      return [replaceScalar(source, value, start + wanted)]
    },
  )
  return withEdits(source, edits)
}
