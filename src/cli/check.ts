import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { AppError } from '../kernel/errors.ts'
import { createFetch } from '../fetch/fetch.ts'
import type { ExternalFindings } from './check-external.ts'
import type { Findings } from './check-folder.ts'
import { type Command, UsageError } from './command.ts'
import { configFromEnvironment } from './environment.ts'
import { runInterruptible } from './interrupt.ts'
import { type Progress, createProgress } from './progress.ts'
import { formatCount, toPrintable, formatWarnings } from './format.ts'

export const checkCommand: Command = {
  name: 'check',
  summary: 'Check a folder of Markdown for problems without importing it',
  parameters: ['folder'],
  options: {
    directory: { value: 'path', description: 'Folder of the content within it' },
    external: { description: 'Also request the external links; results are stored in the data folder for a while' },
    strict: { description: 'Fail if there are warnings' },
    json: { description: 'Print the result as JSON' },
  },
  async run({ parameters: [folder = ''], options, switches }) {
    const directory = options['directory'] ?? ''
    if (directory.split(/[/\\]/).includes('..')) throw new UsageError('--directory must be within the folder')
    const path = join(resolve(folder), directory)
    const stats = await stat(path).catch(() => undefined)
    if (!stats) throw new AppError('notFound', `The folder ${toPrintable(path)} does not exist`)
    if (!stats.isDirectory()) throw new AppError('invalid', `${toPrintable(path)} is not a folder`)

    const progress = createProgress()
    const findings = await runCheck(path, progress, { isExternal: switches.has('external') }).finally(() =>
      progress.end(),
    )
    if (findings.pages === 0) throw new AppError('invalid', `No pages were found in ${toPrintable(path)}`)
    console.log(switches.has('json') ? JSON.stringify(findings, null, 2) : formatFindings(folder, findings).join('\n'))
    const { warnings, roundTrip } = findings
    if (roundTrip.changed.length > 0 || roundTrip.lost.length > 0) return 1
    return switches.has('strict') && warnings.length > 0 ? 1 : 0
  },
}

/** Checks a folder; its external links are requested as the configuration allows. */
async function runCheck(path: string, progress: Progress, { isExternal }: { isExternal: boolean }): Promise<Findings> {
  // Imported here because it loads the content engine, which most commands do not need.
  const { checkFolder } = await import('./check-folder.ts')
  if (!isExternal) return checkFolder(path, progress)
  const { checkExternalLinks } = await import('./check-external.ts')
  const { dataFolder, allowPrivateNetwork } = configFromEnvironment()
  const fetch = createFetch({ allowPrivateNetwork })
  return runInterruptible((signal) =>
    checkFolder(path, progress, (tree, listing) =>
      checkExternalLinks(tree, listing, { fetch, dataFolder, signal, progress, now: Date.now() }),
    ),
  )
}

function formatExternal({ urls, requested, broken, unchecked }: ExternalFindings): string[] {
  return [
    ...unchecked.map(({ url, reason }) => `Not checked: ${toPrintable(url)} (${toPrintable(reason)})`),
    `External links: ${urls}, of which ${requested} were requested; ${broken} broken, ${unchecked.length} not checked.`,
  ]
}

function formatFindings(folder: string, { warnings, roundTrip, external, ...counts }: Findings): string[] {
  const { changed, texts, same, normal, lost } = roundTrip
  const parts = [
    formatCount(counts.pages, 'page'),
    formatCount(counts.groups, 'group'),
    formatCount(counts.links, 'link'),
    ...(counts.computed > 0 ? [formatCount(counts.computed, 'computed page')] : []),
    formatCount(counts.files, 'file'),
    formatCount(counts.reusableContents, 'reusable content'),
    formatCount(counts.variables, 'variable'),
    formatCount(counts.redirects, 'redirect'),
  ]
  return [
    ...formatWarnings(warnings),
    ...formatWarnings(changed.map((file) => ({ file, message: 'would change although nothing was edited' }))),
    ...formatWarnings(
      lost.map((file) => ({ file, message: 'would have different content after printing and parsing' })),
    ),
    ...(warnings.length + changed.length + lost.length > 0 ? [''] : []),
    `${toPrintable(folder)}: ${parts.join(', ')}; ${formatCount(warnings.length, 'warning')}`,
    changed.length === 0
      ? 'An export does not change a single byte of files that were not edited.'
      : `An export would change ${formatCount(changed.length, 'file')} without an edit.`,
    ...(external ? formatExternal(external) : []),
    `Printed and parsed again, ${same} of ${formatCount(texts, 'text')} are equal; already in normal form: ${normal}.`,
  ]
}
