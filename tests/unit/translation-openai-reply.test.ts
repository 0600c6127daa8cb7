import { describe, expect, test } from 'vitest'
import { EngineError } from '../../src/translators/engine.ts'
import { parseCompletion, readTranslations } from '../../src/translators/openai-reply.ts'
import { expectLinear } from '../support/growth.ts'

const json = (value: unknown) => ({
  status: 200,
  contentType: 'application/json',
  retryAfter: undefined,
  text: typeof value === 'string' ? value : JSON.stringify(value),
})
const events = (...chunks: unknown[]) => chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
const delta = (content: unknown) => ({ choices: [{ delta: { content } }] })

const failureOf = async (work: () => unknown): Promise<string> => {
  try {
    await work()
  } catch (error) {
    if (error instanceof EngineError) return error.failure
    throw error
  }
  return 'none'
}

describe('translations in the message of a model', () => {
  const entries = [
    { id: 1, text: 'Un' },
    { id: 2, text: 'Deux' },
  ]
  const object = JSON.stringify({ texts: entries })
  const list = JSON.stringify(entries)

  test.each([
    ['an object', object],
    ['a list', list],
    ['a code fence', `\`\`\`json\n${object}\n\`\`\``],
    ['a fence with a list', `\`\`\`\n${list}\n\`\`\``],
    ['text around it', `Sure! Here is {your} translation:\n\n${object}\n\nLet me know {if} I can help.`],
    ['thoughts before it', `<think>I could write {"texts":[{"id":1,"text":"No"}]} but {no</think>\n${object}`],
    ['IDs as texts', '{"texts":[{"id":"1","text":"Un"},{"id":"2","text":"Deux"}]}'],
    ['texts by ID', '{"1":"Un","2":"Deux"}'],
    ['an object with texts by ID', '{"texts":{"1":"Un","2":"Deux"}}'],
    ['another order', JSON.stringify({ texts: entries.toReversed() })],
    ['other fields', JSON.stringify({ texts: entries.map((entry) => ({ ...entry, note: 'x' })), language: 'fr' })],
    ['no end', `${object.slice(0, -2)},{"id":3,"te`],
  ])('are found with %s', (_, content) => {
    expect(readTranslations(content, 2)).toEqual(['Un', 'Deux'])
  })

  test('are undefined for texts that are missing, returned twice or not texts', () => {
    const texts = [
      { id: 1, text: 'Un' },
      { id: 2, text: 'Deux' },
      { id: 2, text: 'Deux encore' },
      { id: 3, text: null },
      { id: 9, text: 'Neuf' },
      'x',
      null,
    ]
    expect(readTranslations(JSON.stringify({ texts }), 4)).toEqual(['Un', undefined, undefined, undefined])
    expect(readTranslations('{"texts":["Un","Deux"]}', 2)).toEqual([undefined, undefined])
  })

  test.each(['', 'I cannot help with that.', 'null', '"Un"', '[[[', '{"error":"no"}', '{"texts":"Un"}', '{{{{"id":1}'])(
    'are not found in %j',
    async (content) => {
      expect(await failureOf(() => readTranslations(content, 1))).toBe('invalid-reply')
    },
  )

  test('have tags in the notation of the request', () => {
    const text = `<x id='2'></x> <g id=1>a &nbsp; & b</g> &lt;c&gt; 1 < 2 <b>`
    expect(readTranslations(JSON.stringify({ texts: [{ id: 1, text }] }), 1)).toEqual([
      '<x id="2"/> <g id="1">a \u00a0 &amp; b</g> &lt;c&gt; 1 &lt; 2 <b>',
    ])
  })

  test.each([
    ['open brackets', '{"texts":['],
    ['started entries', '{"id":1,"text":"'],
    ['escapes', '{"id":1,"text":"\\"'],
    ['entries without content', '{},'],
    ['tags', '<g id='],
    ['spaces in tags', '<g          '],
  ])('are read in linear time: %s', async (_, part) => {
    await expectLinear(20_000, (size) => failureOf(() => readTranslations(part.repeat(size), 1)))
  })
})

describe('the reply of a server', () => {
  test('is one JSON value or a stream, with the number of tokens', async () => {
    const message = { role: 'assistant', content: 'Hello' }
    const usage = { prompt_tokens: 3, completion_tokens: 4 }
    const whole = { content: 'Hello', tokens: 7 }
    expect(await parseCompletion(json({ choices: [{ message }], usage }))).toEqual(whole)
    expect(await parseCompletion(json({ choices: [{ message }] }))).toEqual({ content: 'Hello', tokens: undefined })
    const parts = {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Hel' },
        { type: 'text', text: 'lo' },
      ],
    }
    expect(await parseCompletion(json({ choices: [{ message: parts }], usage }))).toEqual(whole)
    const stream = events(delta(''), delta('Hel'), delta(null), delta('lo'), { choices: [], usage })
    for (const text of [
      stream,
      `${stream}data: [DONE]\n\ndata: garbage`,
      stream.replaceAll('\n', '\r\n'),
      `: ping\n\n${stream}`,
    ])
      expect(await parseCompletion(json(text)), text).toEqual(whole)
    expect(await parseCompletion({ ...json(`\n${stream}`), contentType: 'text/event-stream' })).toEqual(whole)
  })

  test('contains line separators of Unicode as they are', async () => {
    const content = 'a\u2028data: b\u2029c'
    expect((await parseCompletion(json(events(delta(content))))).content).toBe(content)
  })

  test.each([
    ['nothing', ''],
    ['a page', '<html>'],
    ['no choices', { choices: [] }],
    ['a refusal', { choices: [{ message: { content: null, refusal: 'No' } }] }],
    ['an error with status 200', { error: { message: 'No' } }],
    ['a stream with a long part', events(delta('x'.repeat(600_000)))],
    ['a long stream', events(...Array.from({ length: 700 }, () => delta('x'.repeat(1000))))],
    ['an invalid part of a stream', 'data: {"choices":\n\n'],
  ])('cannot be read if it is %s', async (_, body) => {
    expect(await failureOf(() => parseCompletion(json(body)))).toBe('invalid-reply')
  })

  test('fails if a stream ends with an error', async () => {
    const text = events(delta('Hel'), { error: { message: 'Overloaded' } })
    expect(await failureOf(() => parseCompletion(json(text)))).toBe('unavailable')
  })
})
