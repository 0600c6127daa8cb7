import { describe, expect, test } from 'vitest'
import { Budget, TranslationError } from '../../src/translators/budget.ts'
import { toPortions } from '../../src/translators/text-portions.ts'
import { TextTranslator, type TextTranslatorOptions } from '../../src/translators/text-translator.ts'
import { TermFinder, findContradiction, findMissingTerms } from '../../src/translation/glossary.ts'
import type { ChangedItem } from '../../src/translation/translate-tree.ts'
import { EngineError, type TranslationRequest } from '../../src/translators/engine.ts'
import { translateToUpperCase } from '../support/translation-engines.ts'

const itemOf = (...texts: string[]): ChangedItem => ({
  owner: { kind: 'page', id: 'page', title: 'Page' },
  texts: texts.map((text) => ({ text, location: {} })),
})

type Respond = (request: TranslationRequest, number: number) => readonly (string | undefined)[]

/** Creates a translator with a memory, and an engine that records its requests and the times at which they were sent. */
function createTranslator(respond: Respond, more: Partial<TextTranslatorOptions> = {}) {
  const memory = new Map<string, string>()
  const requests: TranslationRequest[] = []
  const times: number[] = []
  const stored: number[] = []
  const translator = new TextTranslator({
    engine: {
      name: 'test',
      limits: { texts: 2, characters: 1000, concurrency: 2 },
      async translate(request) {
        times.push(performance.now())
        requests.push(request)
        return { texts: respond(request, requests.length), characters: request.texts.join('').length }
      },
    },
    source: 'en',
    target: 'fr',
    instructions: '',
    terms: new TermFinder([]),
    signal: new AbortController().signal,
    find: async (texts) => new Map(texts.flatMap((text) => (memory.has(text) ? [[text, memory.get(text) ?? '']] : []))),
    async store({ translations, characters }) {
      stored.push(characters)
      for (const [text, translation] of translations) memory.set(text, translation)
    },
    budget: new Budget([]),
    retryDelay: 1,
    ...more,
  })
  return { translator, memory, requests, times, stored }
}

const upperCase: Respond = ({ texts }) => texts.map(translateToUpperCase)

describe('texts', () => {
  test('are sent once each, in portions', async () => {
    const { translator, requests } = createTranslator(upperCase)
    const items = [itemOf('one', 'two', 'one'), itemOf('three', 'two')]
    expect([...(await translator.translate(items))]).toEqual([
      ['one', 'ONE'],
      ['two', 'TWO'],
      ['three', 'THREE'],
    ])
    await translator.translate(items)
    expect(requests.map(({ texts }) => texts)).toEqual([['one', 'two'], ['three']])
  })

  test('that are longer than a portion are sent alone', () => {
    const limits = { texts: 10, characters: 10, concurrency: 1 }
    const portions = toPortions([itemOf('aaaa', 'b'.repeat(50), 'cccc', 'dddd', 'eeee')], () => true, limits)
    expect(portions.map(({ texts }) => texts.map(([letter]) => letter).join(''))).toEqual(['a', 'b', 'cd', 'e'])
  })

  test('are stored before a text of the same portion is sent again, so that a failure then costs nothing', async () => {
    const { translator, memory } = createTranslator(({ texts }, number) => {
      if (number > 1) throw new EngineError('rejected', 'No quota')
      return [translateToUpperCase(texts[0] ?? ''), undefined]
    })
    await expect(translator.translate([itemOf('one', 'two')])).rejects.toThrow('No quota')
    expect([...memory]).toEqual([['one', 'ONE']])
  })

  test('are sent again with what was wrong', async () => {
    const { translator, requests } = createTranslator(({ texts }, number) =>
      number === 1 ? texts.map(() => '<b>') : texts.map(translateToUpperCase),
    )
    await translator.translate([itemOf('one')])
    expect(requests[1]?.problems).toEqual(new Map([[0, expect.stringContaining('tag')]]))
    expect(translator.problems.size).toBe(0)
  })
})

describe('a service that asks to wait', () => {
  test('receives no request of the run until then', async () => {
    const { translator, times } = createTranslator((request, number) => {
      if (number === 1) throw new EngineError('rate-limited', 'Slow down', 300)
      return upperCase(request, number)
    })
    await translator.translate([itemOf('one', 'two', 'three', 'four', 'five', 'six')])
    const [first = 0, ...others] = times
    // A request that was sent at the same time as the first one is not affected.
    expect(others.filter((time) => time > first + 20).every((time) => time >= first + 290)).toBe(true)
    expect(times).toHaveLength(4)
  })

  test('is given up after some attempts', async () => {
    const { translator, times } = createTranslator(() => {
      throw new EngineError('unavailable', 'Internal error')
    })
    await expect(translator.translate([itemOf('one')])).rejects.toThrow('Internal error')
    expect(times).toHaveLength(6)
  })

  test('is not waited for after the run was cancelled', async () => {
    const cancelled = new AbortController()
    const { translator, times } = createTranslator(
      () => {
        setTimeout(() => cancelled.abort(), 10)
        throw new EngineError('rate-limited', 'Slow down', 3_600_000)
      },
      { signal: cancelled.signal },
    )
    await expect(translator.translate([itemOf('one')])).rejects.toThrow()
    expect(times).toHaveLength(1)
  })
})

describe('budgets', () => {
  test('are checked before a request, and failed requests do not count', async () => {
    const budget = new Budget([{ remaining: 6, message: 'The limit is reached' }])
    const { translator, memory } = createTranslator(
      (request, number) => {
        if (number === 1) throw new EngineError('unavailable', 'Internal error')
        return upperCase(request, number)
      },
      { budget },
    )
    await translator.translate([itemOf('one', 'two')])
    await expect(translator.translate([itemOf('three')])).rejects.toThrow(TranslationError)
    expect([...memory.keys()]).toEqual(['one', 'two'])
  })

  test('count texts that are sent again', async () => {
    const { translator, stored } = createTranslator(({ texts }) => texts.map(() => undefined))
    await translator.translate([itemOf('one')])
    expect(stored).toEqual([3, 3])
    expect(translator.problems.get('one')).toMatchObject({ kind: 'not-translated' })
  })
})

describe('the glossary', () => {
  const terms = new TermFinder([{ source: 'page', target: 'feuille' }])

  test('is checked; a translation without a term is sent again and then used', async () => {
    const { translator, requests } = createTranslator(({ texts }) => texts.map(() => 'La une'), { terms })
    expect([...(await translator.translate([itemOf('The page')]))]).toEqual([['The page', 'La une']])
    expect(requests[0]?.terms).toEqual([{ source: 'page', target: 'feuille' }])
    expect([...translator.problems]).toEqual([
      ['The page', { kind: 'glossary', message: 'The glossary translates “page” as “feuille”' }],
    ])
    await translator.translate([itemOf('The page')])
    expect(requests).toHaveLength(2)
  })

  test('applies to stored translations too', async () => {
    const { translator, memory } = createTranslator(({ texts }) => texts.map(() => 'La feuille'), { terms })
    memory.set('The page', 'La une').set('A text', 'Un texte')
    await translator.translate([itemOf('The page', 'A text')])
    expect([...memory]).toEqual([
      ['The page', 'La feuille'],
      ['A text', 'Un texte'],
    ])
  })

  test('finds whole words, the longest terms first, in any script', () => {
    const list = [
      { source: 'API', target: 'a' },
      { source: 'API key', target: 'b' },
      { source: '页面', target: 'c' },
      { source: 'C++', target: 'd' },
    ]
    const find = (text: string) => new TermFinder(list).find(text).map(({ target }) => target)
    expect(find('Use the api key')).toEqual(['b'])
    expect(find('Use an API')).toEqual(['a'])
    expect(find('A rapier')).toEqual([])
    expect(find('这是页面吗')).toEqual(['c'])
    expect(find('Write C++.')).toEqual(['d'])
    expect(findMissingTerms(list, 'B, C').map(({ target }) => target)).toEqual(['a', 'd'])
  })

  test('has no contradictions', async () => {
    expect(
      await findContradiction([
        { en: 'page', fr: 'page' },
        { en: 'Page', fr: 'feuille' },
      ]),
    ).toMatch(/both as/)
    expect(
      await findContradiction([
        { en: 'page', fr: 'page' },
        { en: 'page', de: 'Seite' },
      ]),
    ).toBeUndefined()
  })
})
