import type { Language } from '../contract/space.ts'
import { findInstalledPairs } from './apertium.ts'
import { type EngineOptions, type EngineSettings, createEngine, defaultTimeout } from './create-engine.ts'
import { EngineError, type TranslationEngine } from './engine.ts'
import { languageNames } from './languages.ts'

type LanguagePair = readonly [source: Language, target: Language]

/** Pairs that are tried one after another, because services may support few languages. */
const commonPairs: readonly LanguagePair[] = [
  ['en', 'fr'],
  ['en', 'de'],
  ['en', 'es'],
]

/** Translates a short text and describes the engine; fails with an `EngineError`. */
export async function probeEngine(settings: EngineSettings, options: EngineOptions): Promise<string> {
  const engine = createEngine(settings, options)
  const [source, target] = await translateAny(engine, await findPairs(settings, options))
  const name = settings.kind === 'openai' ? `openai with the model ${settings.model}` : settings.kind
  return `${name} translated a text from ${languageNames[source]} into ${languageNames[target]}`
}

async function findPairs(settings: EngineSettings, options: EngineOptions): Promise<readonly LanguagePair[]> {
  if (settings.kind !== 'apertium') return commonPairs
  const { timeout = defaultTimeout, showsDetails = false } = options
  const { signal } = new AbortController()
  const pairs = await findInstalledPairs({ ...settings, timeout, showsDetails }, signal)
  const message =
    'Apertium has no pair of languages that can be used. Install one, for example apertium-eng-spa on Debian'
  if (pairs.length === 0) throw new EngineError('rejected', message)
  return pairs.slice(0, 1)
}

/** Returns the first pair for which the engine translates a text. */
async function translateAny(engine: TranslationEngine, pairs: readonly LanguagePair[]): Promise<LanguagePair> {
  let failure: unknown
  for (const pair of pairs) {
    try {
      await translateText(engine, pair)
      return pair
    } catch (error) {
      // Only a rejection may be due to the languages.
      if (!(error instanceof EngineError) || error.failure !== 'rejected') throw error
      failure ??= error
    }
  }
  throw failure
}

async function translateText(engine: TranslationEngine, [source, target]: LanguagePair): Promise<void> {
  const request = { source, target, texts: ['Good morning'], terms: [], instructions: '', context: '' }
  const [text] = (await engine.translate(request, new AbortController().signal)).texts
  if (!text) throw new EngineError('invalid-reply', 'The translation service returned no translation of a test text')
}
