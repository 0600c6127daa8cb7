import { expect, test } from 'vitest'
import { readConfig } from '../../src/server/config.ts'

const read = (variables: Record<string, string>) =>
  readConfig(Object.fromEntries(Object.entries(variables).map(([name, value]) => [`OCTAVO_TRANSLATION${name}`, value])))
    .translation

test('engines of each kind are configured', () => {
  expect(
    read({
      '': 'openai',
      _URL: 'http://localhost:11434/v1/',
      _MODEL: 'small',
      _TIMEOUT: '300',
      _CONCURRENCY: '8',
      _MONTHLY_CHARACTERS: '5000',
    }),
  ).toEqual({
    engine: { kind: 'openai', url: 'http://localhost:11434/v1', key: undefined, model: 'small' },
    timeout: 300_000,
    concurrency: 8,
    monthlyCharacters: 5000,
  })
  expect(read({ '': 'libretranslate', _URL: 'http://translate:5000' }).engine).toEqual({
    kind: 'libretranslate',
    url: 'http://translate:5000',
    key: undefined,
  })
  expect(read({ '': 'apertium' }).engine).toMatchObject({ kind: 'apertium' })
})

test('the URL of DeepL depends on the key', () => {
  expect(read({ '': 'deepl', _KEY: 'abc' }).engine).toMatchObject({ url: 'https://api.deepl.com', key: 'abc' })
  expect(read({ '': 'deepl', _KEY: 'abc:fx' }).engine).toMatchObject({ url: 'https://api-free.deepl.com' })
  expect(read({ '': 'deepl', _KEY: 'abc:fx', _URL: 'http://proxy' }).engine).toMatchObject({ url: 'http://proxy' })
})

test.each([
  [{ '': 'google' }, 'OCTAVO_TRANSLATION must be one of openai, deepl, libretranslate, apertium'],
  [{ '': 'openai', _URL: 'http://a' }, '_MODEL must be set, because OCTAVO_TRANSLATION is openai'],
  [{ '': 'openai', _MODEL: 'a' }, '_URL must be set, because OCTAVO_TRANSLATION is openai'],
  [{ '': 'openai', _MODEL: 'a', _URL: 'localhost' }, '_URL must be an http(s) URL'],
  [{ '': 'deepl' }, '_KEY must be set, because OCTAVO_TRANSLATION is deepl'],
  [{ '': 'deepl', _KEY: 'a\nb' }, '_KEY must consist of ASCII characters without spaces'],
  [{ '': 'libretranslate' }, '_URL must be set, because OCTAVO_TRANSLATION is libretranslate'],
  [{ '': 'libretranslate', _URL: 'http://a', _MODEL: 'b' }, '_MODEL must not be set, because'],
  [{ '': 'apertium', _URL: 'http://a' }, '_URL must not be set, because OCTAVO_TRANSLATION is apertium'],
  [{ _KEY: 'a' }, 'OCTAVO_TRANSLATION must be set, because OCTAVO_TRANSLATION_KEY is set'],
  [{ _CONCURRENCY: '0' }, '_CONCURRENCY must be between 1 and 32'],
] as [Record<string, string>, string][])('%j is refused', (variables, message) => {
  expect(() => read(variables)).toThrow(message)
})
