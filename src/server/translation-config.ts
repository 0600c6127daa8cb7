import { seconds } from '../kernel/time.ts'
import type { EngineSettings } from '../translators/create-engine.ts'

/** Kinds of engines that the operator can configure. */
export const translationKinds = ['openai', 'deepl', 'libretranslate', 'apertium'] as const

export interface TranslationVariables {
  OCTAVO_TRANSLATION?: (typeof translationKinds)[number] | undefined
  OCTAVO_TRANSLATION_URL?: string | undefined
  OCTAVO_TRANSLATION_KEY?: string | undefined
  OCTAVO_TRANSLATION_MODEL?: string | undefined
  OCTAVO_TRANSLATION_TIMEOUT: number
  OCTAVO_TRANSLATION_CONCURRENCY: number
  OCTAVO_TRANSLATION_MONTHLY_CHARACTERS: number
}

/** Translation settings of the operator. */
export interface TranslationConfig {
  /** Engine for organizations without their own; undefined if there is none. */
  engine: EngineSettings | undefined
  /** Timeout of a request to the engine of the server, in milliseconds. */
  timeout: number
  /** Maximum number of concurrent requests of one run. */
  concurrency: number
  /** Maximum number of characters that an organization may send to the engine of the server in a month; 0 for no limit. */
  monthlyCharacters: number
}

/** Variables that each kind requires, and others that it accepts. */
const variablesByKind: Record<string, { required: readonly string[]; optional: readonly string[] }> = {
  openai: { required: ['URL', 'MODEL'], optional: ['KEY'] },
  deepl: { required: ['KEY'], optional: ['URL'] },
  libretranslate: { required: ['URL'], optional: ['KEY'] },
  apertium: { required: [], optional: [] },
}

/** Returns why the variables cannot be used together. */
export function findTranslationProblems(environment: Record<string, string | undefined>): string[] {
  const given = ['URL', 'KEY', 'MODEL'].filter((name) => environment[`OCTAVO_TRANSLATION_${name}`])
  const kind = environment['OCTAVO_TRANSLATION']
  if (!kind) {
    return given.map((name) => `OCTAVO_TRANSLATION must be set, because OCTAVO_TRANSLATION_${name} is set`).slice(0, 1)
  }
  const variables = variablesByKind[kind]
  if (!variables) return []
  const { required, optional } = variables
  return [
    ...required
      .filter((name) => !given.includes(name))
      .map((name) => `OCTAVO_TRANSLATION_${name} must be set, because OCTAVO_TRANSLATION is ${kind}`),
    ...given
      .filter((name) => !required.includes(name) && !optional.includes(name))
      .map((name) => `OCTAVO_TRANSLATION_${name} must not be set, because OCTAVO_TRANSLATION is ${kind}`),
  ]
}

/** Returns the translation settings; `programEnvironment` has the variables that programs need. */
export function toTranslationConfig(
  variables: TranslationVariables,
  programEnvironment: Readonly<Record<string, string>>,
): TranslationConfig {
  return {
    engine: toEngineSettings(variables, programEnvironment),
    timeout: seconds(variables.OCTAVO_TRANSLATION_TIMEOUT),
    concurrency: variables.OCTAVO_TRANSLATION_CONCURRENCY,
    monthlyCharacters: variables.OCTAVO_TRANSLATION_MONTHLY_CHARACTERS,
  }
}

function toEngineSettings(
  variables: TranslationVariables,
  environment: Readonly<Record<string, string>>,
): EngineSettings | undefined {
  const { OCTAVO_TRANSLATION: kind, OCTAVO_TRANSLATION_KEY: key, OCTAVO_TRANSLATION_MODEL: model = '' } = variables
  const url = variables.OCTAVO_TRANSLATION_URL ?? deeplUrl(key)
  switch (kind) {
    case undefined:
      return undefined
    case 'openai':
      return { kind, url, key, model }
    case 'deepl':
    case 'libretranslate':
      return { kind, url, key }
    case 'apertium':
      return { kind, environment }
  }
}

/** Returns the URL of DeepL. Keys of free accounts end with `:fx` and need another host. */
const deeplUrl = (key: string | undefined): string =>
  key?.endsWith(':fx') ? 'https://api-free.deepl.com' : 'https://api.deepl.com'
