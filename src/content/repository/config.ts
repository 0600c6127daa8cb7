import { isMap } from 'yaml'
import { resolvePath } from './paths.ts'
import type { RepositoryProblem } from './source.ts'
import { type TextEdit, replaceScalar, applyEdits } from './yaml-edits.ts'
import { YamlFile, isNullNode, scalarText, truncateForMessage } from './yaml-text.ts'

/** Names of the configuration file, in the order of lookup. */
export const configFileNames = ['.octavo.yaml', '.gitbook.yaml', '.gitbook.yml'] as const

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
export function parseRepositoryConfig(
  source: string,
  file: string,
): { config: RepositoryConfig; problems: RepositoryProblem[] } {
  const yaml = new YamlFile(source, file)
  return { config: parseConfig(yaml), problems: yaml.problems }
}

function parseConfig(yaml: YamlFile): RepositoryConfig {
  const config: RepositoryConfig = { root: '', readme: 'README.md', summary: 'SUMMARY.md', redirects: [] }
  const keys = readMap(yaml, yaml.root, 'The configuration')
  const structure = readMap(yaml, keys?.get('structure')?.value, '`structure`')
  config.root = readPath(yaml, keys?.get('root')?.value, '`root`') ?? config.root
  config.readme = readPath(yaml, structure?.get('readme')?.value, '`structure.readme`') || config.readme
  config.summary = readPath(yaml, structure?.get('summary')?.value, '`structure.summary`') || config.summary
  config.redirects = readRedirects(yaml, keys?.get('redirects')?.value).map(({ from, to, line }) => ({
    from,
    to,
    line,
  }))
  return config
}

type YamlEntries = ReturnType<YamlFile['readEntries']>

function readMap(yaml: YamlFile, node: unknown, name: string): YamlEntries | undefined {
  if (isMap(node)) return yaml.readEntries(node)
  if (!isNullNode(node)) yaml.addProblem(node, `${name} must be a mapping of keys to values`)
  return undefined
}

function readPath(yaml: YamlFile, node: unknown, name: string): string | undefined {
  const text = yaml.readText(node, name)
  if (text === undefined) return undefined
  const path = resolvePath('', text.trim())
  return path === undefined ? yaml.addProblem(node, `${name} points outside the repository`) : path.replace(/\/$/, '')
}

interface ConfigRedirect {
  from: string
  to: string
  line: number
  value: unknown
}

function readRedirects(yaml: YamlFile, node: unknown): ConfigRedirect[] {
  const redirects = new Map<string, ConfigRedirect>()
  for (const [writtenPath, { key, value }] of readMap(yaml, node, '`redirects`') ?? []) {
    const name = `The target of ${truncateForMessage(writtenPath)}`
    const from = resolvePath('', writtenPath.trim())?.replace(/\/$/, '')
    const target = yaml.readText(value, name)?.trim()
    const to = target === undefined ? undefined : parseRedirectTarget(target)
    if (!from) yaml.addProblem(key, `${truncateForMessage(writtenPath)} is not a valid path for a redirect`)
    else if (redirects.has(from))
      yaml.addProblem(key, `Duplicate redirect ${truncateForMessage(from)}; only the first one is used`)
    else if (isNullNode(value) || target === '') yaml.addProblem(key, `${name} is missing`)
    else if (target !== undefined && to === undefined) yaml.addProblem(value, `${name} points outside the repository`)
    else if (to !== undefined) redirects.set(from, { from, to, line: yaml.lineOf(key), value })
  }
  return [...redirects.values()]
}

/**
 * Returns the target of a redirect as a path relative to the content root, with its query and anchor; a URL is returned
 * unchanged.
 */
function parseRedirectTarget(target: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(target)) return target
  const at = target.search(/[?#]/)
  const path = resolvePath('', at === -1 ? target : target.slice(0, at))
  return path === undefined ? undefined : path + (at === -1 ? '' : target.slice(at))
}

/** Changes the targets of redirects in a configuration, by their source paths. Everything else remains unchanged. */
export function spliceConfigRedirects(source: string, redirects: ReadonlyMap<string, string>): string {
  const yaml = new YamlFile(source, '')
  if (!isMap(yaml.root)) return source
  const edits = readRedirects(yaml, yaml.readEntries(yaml.root).get('redirects')?.value).flatMap(
    ({ from, to, value }): TextEdit[] => {
      const newTarget = redirects.get(from)
      if (newTarget === undefined || newTarget === to) return []
      const prefix =
        scalarText(value)?.startsWith('./') && parseRedirectTarget(`./${newTarget}`) === newTarget ? './' : ''
      return [replaceScalar(source, value, prefix + newTarget)]
    },
  )
  return applyEdits(source, edits)
}
