import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { AppError } from '../kernel/errors.ts'
import type { Findings } from './check-folder.ts'
import { type Command, UsageError } from './command.ts'
import { createProgress } from './progress.ts'
import { counted, printable, warningLines } from './report.ts'

export const checkCommand: Command = {
  name: 'check',
  summary: 'Read a folder of Markdown as an import would, and tell what is wrong with it',
  parameters: ['folder'],
  options: {
    directory: { value: 'path', description: 'The folder within it that holds the content' },
    strict: { description: 'Fail when there are warnings' },
    json: { description: 'Tell everything as JSON' },
  },
  async run({ parameters: [folder = ''], options, switches }) {
    const directory = options['directory'] ?? ''
    if (directory.split(/[/\\]/).includes('..')) throw new UsageError('--directory must lie within the folder')
    const path = join(resolve(folder), directory)
    const stats = await stat(path).catch(() => undefined)
    if (!stats) throw new AppError('notFound', `There is no folder ${printable(path)}`)
    if (!stats.isDirectory()) throw new AppError('invalid', `${printable(path)} is no folder`)

    // Loaded only now: it brings the content engine along, and most commands do not need it.
    const { checkFolder } = await import('./check-folder.ts')
    const progress = createProgress()
    const findings = await checkFolder(path, progress).finally(() => progress.end())
    if (findings.pages === 0) throw new AppError('invalid', `There are no pages in ${printable(path)}`)
    console.log(switches.has('json') ? JSON.stringify(findings, null, 2) : told(folder, findings).join('\n'))
    const { warnings, roundTrip } = findings
    if (roundTrip.changed.length > 0 || roundTrip.lost.length > 0) return 1
    return switches.has('strict') && warnings.length > 0 ? 1 : 0
  },
}

function told(folder: string, { warnings, roundTrip, ...counts }: Findings): string[] {
  const { changed, texts, same, normal, lost } = roundTrip
  const parts = [
    counted(counts.pages, 'page'),
    counted(counts.groups, 'group'),
    counted(counts.links, 'link'),
    ...(counts.computed > 0 ? [counted(counts.computed, 'computed page')] : []),
    counted(counts.files, 'file'),
    counted(counts.reusableContents, 'reusable content'),
    counted(counts.variables, 'variable'),
    counted(counts.redirects, 'redirect'),
  ]
  return [
    ...warningLines(warnings),
    ...warningLines(
      changed.map((file) => ({ file, message: 'would be written otherwise although nothing was edited' })),
    ),
    ...warningLines(lost.map((file) => ({ file, message: 'would say something else if it was written anew' }))),
    ...(warnings.length + changed.length + lost.length > 0 ? [''] : []),
    `${printable(folder)}: ${parts.join(', ')}; ${counted(warnings.length, 'warning')}`,
    changed.length === 0
      ? 'What is not edited goes out as it came in, byte for byte.'
      : `${counted(changed.length, 'file')} would change without being edited.`,
    `Written anew and read again, ${same} of ${counted(texts, 'text')} say the same; in normal form already: ${normal}.`,
  ]
}
