import { readFile } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { languages } from '../contract/languages.ts'
import { Language } from '../contract/space.ts'
import { GlossaryTranslations } from '../contract/translation.ts'
import { createFetch } from '../fetch/fetch.ts'
import { AppError } from '../kernel/errors.ts'
import { TermFinder, findContradiction, selectTerms } from '../translation/glossary.ts'
import { createEngine } from '../translators/create-engine.ts'
import type { TranslationEngine } from '../translators/engine.ts'
import { type Command, type CommandInput, UsageError, requireOption } from './command.ts'
import { configFromEnvironment } from './environment.ts'
import { formatCount, formatDuration, formatWarnings, toPrintable } from './format.ts'
import { runInterruptible } from './interrupt.ts'
import { createProgress } from './progress.ts'
import type { PlannedTexts, TranslatedFolder, TranslationRequest } from './translate-folder.ts'

/** Exit code of a run after which people should check texts. */
const exitCodeOfFindings = 3

export const translateCommand: Command = {
  name: 'translate',
  summary: 'Translate a folder of Markdown into another folder, and keep edits of the translation',
  parameters: ['folder'],
  options: {
    to: { value: 'language', description: 'Language of the translation, for example fr' },
    from: { value: 'language', description: 'Language of the folder; defaults to en' },
    out: { value: 'folder', description: 'Translated folder; defaults to <folder>-<language>, beside the folder' },
    glossary: { value: 'file', description: 'Terms by language code, as YAML or JSON' },
    instructions: { value: 'file', description: 'Instructions for a language model, as plain text' },
    'dry-run': { description: 'Print how much would be sent to the engine, without sending or writing anything' },
  },
  async run(input) {
    const startTime = performance.now()
    const request = await readRequest(input)
    // Imported here because it loads the content engine, which most commands do not need.
    const { FolderTranslation } = await import('./translate-folder.ts')
    const isDryRun = input.switches.has('dry-run')
    const engine = isDryRun ? undefined : createConfiguredEngine()
    const progress = createProgress()
    return runInterruptible(async (signal, yieldIfDue) => {
      const translation = await FolderTranslation.open(request, { progress, signal, yieldIfDue })
      if (!engine) {
        const planned = await translation.count()
        progress.end()
        return console.log(formatPlannedTexts(request, planned))
      }
      const translated = await translation.run(engine).catch((error: unknown) => {
        reportStoredTexts(translation.state.addedTexts)
        throw error
      })
      progress.end()
      const lines = [...formatFindings(translated), formatSummary(request, translated)]
      console.log(`${lines.join('\n')} Took ${formatDuration(performance.now() - startTime)}.`)
      return translated.findings.length > 0 ? exitCodeOfFindings : 0
    }).finally(() => progress.end())
  },
}

function reportStoredTexts(count: number): void {
  if (count > 0) console.error(`${formatCount(count, 'translated text')} stored. The next run continues there.`)
}

async function readRequest(input: CommandInput): Promise<TranslationRequest> {
  const { options, parameters } = input
  const target = parseLanguage('to', requireOption(input, 'to'))
  const sourceFolder = resolve(parameters[0] as string)
  const out = options['out']
  const targetFolder =
    out === undefined ? join(dirname(sourceFolder), `${basename(sourceFolder)}-${target}`) : resolve(out)
  if (isInside(sourceFolder, targetFolder) || isInside(targetFolder, sourceFolder))
    throw new UsageError('the folder and the translated folder must not contain each other')
  const { glossary, instructions, from } = options
  const entries = glossary === undefined ? [] : await readGlossary(glossary)
  return {
    sourceFolder,
    targetFolder,
    target,
    source: from === undefined ? undefined : parseLanguage('from', from),
    instructions: instructions === undefined ? '' : (await readFile(instructions, 'utf8')).trim(),
    selectTerms: (source) => new TermFinder(selectTerms(entries, source, target)),
  }
}

function parseLanguage(option: string, text: string): Language {
  const language = Language.safeParse(text)
  if (!language.success)
    throw new UsageError(
      `--${option} must be one of these languages: ${languages.join(', ')}; not ${toPrintable(text)}`,
    )
  return language.data
}

const isInside = (folder: string, path: string): boolean => {
  const below = relative(folder, path)
  return below === '' || (below !== '..' && !below.startsWith(`..${sep}`) && resolve(folder, below) === path)
}

async function readGlossary(path: string): Promise<z.infer<typeof GlossaryTranslations>[]> {
  const invalid = (reason: string) => new AppError('invalid', `The glossary ${toPrintable(path)} is invalid: ${reason}`)
  const text = await readFile(path, 'utf8')
  let value: unknown
  try {
    value = parse(text)
  } catch (error) {
    throw invalid((error as Error).message.split('\n')[0] ?? '')
  }
  const entries = z.array(GlossaryTranslations).safeParse(value ?? [])
  if (!entries.success)
    throw invalid('it must be a list of terms by language code, for example `- { en: page, fr: page }`')
  const contradiction = await findContradiction(entries.data)
  if (contradiction !== undefined) throw invalid(contradiction)
  return entries.data
}

function createConfiguredEngine(): TranslationEngine {
  const { translation } = configFromEnvironment()
  const { engine, timeout, concurrency } = translation
  if (!engine)
    throw new AppError(
      'invalid',
      'No translation engine is configured. Set OCTAVO_TRANSLATION to openai, deepl, libretranslate or apertium',
    )
  // The operator has configured the URL, which may be in a private network.
  const fetch = createFetch({ allowPrivateNetwork: true })
  return createEngine(engine, { fetch, timeout, concurrency, showsDetails: true })
}

const formatPlannedTexts = ({ targetFolder }: TranslationRequest, { pages, texts, characters }: PlannedTexts): string =>
  `${formatCount(pages, 'page')} would be translated into ${toPrintable(targetFolder)}: ${formatCount(texts, 'text')} with ${formatCount(characters, 'character')} would be sent.`

const formatSummary = (
  { targetFolder }: TranslationRequest,
  { pages, texts, characters, plan: { write, remove, upToDate } }: TranslatedFolder,
): string =>
  `Translated ${formatCount(pages, 'page')} into ${toPrintable(targetFolder)}; ${formatCount(texts, 'text')} with ${formatCount(characters, 'character')} were sent. Wrote ${formatCount(write.length, 'file')} and removed ${remove.length}; ${upToDate.size} were up to date.`

function formatFindings({ findings, plan: { retained, unavailable } }: TranslatedFolder): string[] {
  const warnings = [
    ...findings.map((finding) => ({ file: finding.file, message: describeFinding(finding) })),
    ...retained.map((file) => ({ file, message: 'is no longer part of the content but was changed; it is kept' })),
    ...unavailable.map((file) => ({ file, message: 'is too large and was not copied' })),
  ]
  return warnings.length === 0 ? [] : [...formatWarnings(warnings), '']
}

function describeFinding({
  kind,
  source,
  machine,
  current,
  message = '',
}: TranslatedFolder['findings'][number]): string {
  switch (kind) {
    case 'source-changed':
      return `The source of a text that people edited has changed: ${quote(source)}. The edited text was kept: ${quote(current)}. The engine translates: ${quote(machine)}`
    case 'not-translated':
      return `Not translated: ${quote(source)}. ${message}`
    case 'glossary':
      return `${quote(source)}: ${message}`
    case 'removed':
      return 'Removed with its source, although people edited it'
  }
}

const maxQuotedLength = 120

const quote = (text: string): string =>
  `“${text.length > maxQuotedLength ? `${text.slice(0, maxQuotedLength)}…` : text}”`.replace(/\s+/g, ' ')
