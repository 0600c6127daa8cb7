import { languages } from '../contract/languages.ts'
import type { Language } from '../contract/space.ts'
import { apertiumCodes } from './apertium-codes.ts'
import { EngineError, type TranslationEngine } from './engine.ts'
import { languageNames } from './languages.ts'
import { normalizeMarkup } from './markup.ts'
import { runProgram } from './run-program.ts'
import { countCharacters } from './service-request.ts'

export interface ApertiumOptions {
  /** Environment variables of the program, with the `PATH` that it is found in. */
  environment: Readonly<Record<string, string>>
  /** Timeout of one run in milliseconds. */
  timeout: number
  /** Whether errors contain the output of the program. */
  showsDetails: boolean
}

const program = 'apertium'

const limits = { texts: 50, characters: 20_000 }

/** Maximum size of the output in bytes; translations are about as long as their texts. */
const maxOutputBytes = 1024 ** 2

/** Creates an engine that runs Apertium on this machine, which supports neither terms nor instructions. */
export function createApertiumEngine(options: ApertiumOptions & { concurrency: number }): TranslationEngine {
  const modes = new Map<string, string>()

  /** Returns the mode of a pair of languages; pairs that are installed later are found too. */
  const findMode = async (source: Language, target: Language, signal: AbortSignal): Promise<string> => {
    const pair = `${source} ${target}`
    const mode = modes.get(pair) ?? selectMode(await listModes(options, signal), source, target)
    if (mode === undefined) {
      const names = `${languageNames[source]} into ${languageNames[target]}`
      throw new EngineError('rejected', `No Apertium package that translates ${names} is installed on the server`)
    }
    modes.set(pair, mode)
    return mode
  }

  return {
    name: program,
    limits: { ...limits, concurrency: options.concurrency },
    async translate({ source, target, texts }, signal) {
      const mode = await findMode(source, target, signal)
      const run = (input: string) => runApertium(options, ['-u', '-f', 'html-noent', mode], input, signal)
      return { texts: await translateAll(texts, run), characters: countCharacters(texts) }
    },
  }
}

const runApertium = (
  { environment, timeout, showsDetails }: ApertiumOptions,
  args: string[],
  input: string,
  signal: AbortSignal,
): Promise<string> =>
  runProgram({
    program,
    args,
    input,
    // If Transfuse is installed, Apertium would translate the parts between tags like separate sentences.
    environment: { ...environment, APERTIUM_TRANSFUSE: 'no' },
    timeout,
    maxOutputBytes,
    showsDetails,
    signal,
  })

/** Translates all texts in one run; if the result does not have a paragraph for each text, each text in a separate run. */
async function translateAll(
  texts: readonly string[],
  run: (input: string) => Promise<string>,
): Promise<(string | undefined)[]> {
  const together = readParagraphs(await run(writeParagraphs(texts)), texts.length)
  if (together || texts.length === 1) return together ?? [undefined]
  const separate: (string | undefined)[] = []
  for (const text of texts) separate.push(readParagraphs(await run(writeParagraphs([text])), 1)?.[0])
  return separate
}

/** Returns the texts as paragraphs of HTML, which are translated independently of each other. Apertium keeps all tags. */
const writeParagraphs = (texts: readonly string[]): string =>
  texts.map((text, index) => `<p id="t${index}">${text}</p>\n`).join('')

/** Returns the content of the paragraphs; undefined if they are not the ones that were written. */
function readParagraphs(html: string, count: number): string[] | undefined {
  const paragraphs = html.split('<p id="t').slice(1).map(readParagraph)
  const isComplete = paragraphs.length === count && paragraphs.every((paragraph, at) => paragraph?.index === at)
  return isComplete ? paragraphs.map((paragraph) => normalizeMarkup(paragraph?.text ?? '')) : undefined
}

/** Reads the rest of a paragraph after the beginning of its tag. */
function readParagraph(html: string): { index: number; text: string } | undefined {
  const [start = '', index] = /^(\d+)">/.exec(html) ?? []
  const end = html.indexOf('</p>')
  return index === undefined || end < 0 ? undefined : { index: Number(index), text: html.slice(start.length, end) }
}

/** Returns the names of the installed modes, which each translate from one language into another. */
async function listModes(options: ApertiumOptions, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const output = await runApertium(options, ['-l'], '', signal)
  return new Set(output.split('\n').map((line) => line.trim()))
}

function selectMode(modes: ReadonlySet<string>, source: Language, target: Language): string | undefined {
  const names = apertiumCodes(source).flatMap((from) => apertiumCodes(target).map((to) => `${from}-${to}`))
  return names.find((name) => modes.has(name))
}

/** Returns all pairs of languages that the installed packages translate. */
export async function findInstalledPairs(
  options: ApertiumOptions,
  signal: AbortSignal,
): Promise<(readonly [Language, Language])[]> {
  const modes = await listModes(options, signal)
  return languages.flatMap((source) =>
    languages.flatMap((target) => (selectMode(modes, source, target) === undefined ? [] : [[source, target] as const])),
  )
}
