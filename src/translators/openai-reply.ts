import { z } from 'zod'
import { EngineError } from './engine.ts'
import { normalizeMarkup } from './markup.ts'
import { type ServiceReply, invalidReply, parseJson } from './service-request.ts'

/** Text that the model wrote. */
export interface Completion {
  content: string
  tokens: number | undefined
}

const Content = z.union([
  z.string(),
  z.array(z.object({ text: z.string().optional() })).transform((parts) => parts.map(({ text = '' }) => text).join('')),
])

const Count = z.int().min(0).max(1e9)
const Usage = z
  .object({ total_tokens: Count.optional(), prompt_tokens: Count.default(0), completion_tokens: Count.default(0) })
  .transform((usage) => usage.total_tokens ?? usage.prompt_tokens + usage.completion_tokens)

const Reply = z.object({
  choices: z.array(z.object({ message: z.object({ content: Content }) })).min(1),
  usage: Usage.optional().catch(undefined),
})

/** Part of a streamed reply; the last one has no choices but the usage. */
const Chunk = z.object({
  choices: z
    .array(z.object({ delta: z.object({ content: Content.nullish().catch(undefined) }).optional() }))
    .catch([])
    .default([]),
  usage: Usage.optional().catch(undefined),
  error: z.unknown().optional(),
})

/** Reads a completion, which is a JSON value or a stream of server-sent events, whatever was requested. */
export function parseCompletion({ contentType, text }: ServiceReply): Completion {
  const isStream = contentType.includes('text/event-stream') || /^\s*(?:data|event|id|retry)?:/.test(text)
  if (isStream) return parseStream(text)
  const reply = Reply.safeParse(parseJson(text))
  const content = reply.data?.choices[0]?.message.content
  if (content === undefined) throw invalidReply('it has no message')
  return { content, tokens: reply.data?.usage }
}

function parseStream(text: string): Completion {
  const completion: Completion = { content: '', tokens: undefined }
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (!line.startsWith('data:')) continue
    const data = line.slice('data:'.length).trim()
    if (data === '[DONE]') break
    const chunk = Chunk.safeParse(parseJson(data)).data
    if (!chunk) throw invalidReply('a part of the stream is not valid')
    if (chunk.error !== undefined && chunk.error !== null)
      throw new EngineError('unavailable', 'The translation service failed while it sent the reply')
    completion.content += chunk.choices[0]?.delta?.content ?? ''
    completion.tokens = chunk.usage ?? completion.tokens
  }
  return completion
}

const Id = z.union([
  z.int(),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
])
const Entry = z.object({ id: Id, text: z.string() })
type Entry = z.infer<typeof Entry>

/** Returns the translations of the texts 1 to `count`; undefined for texts that the model left out or returned twice. */
export function readTranslations(content: string, count: number): (string | undefined)[] {
  const entries = findEntries(content)
  if (!entries) throw invalidReply('it has no list of translated texts')
  const byId = new Map<number, string | undefined>()
  for (const { id, text } of entries) byId.set(id, byId.has(id) ? undefined : normalizeMarkup(text))
  return Array.from({ length: count }, (_, index) => byId.get(index + 1))
}

/** Finds the list of texts, also if the model wrote other text around it or did not finish it. */
function findEntries(content: string): Entry[] | undefined {
  for (const candidate of findJsonTexts(content)) {
    const entries = toEntries(parseJson(candidate))
    if (entries) return entries
  }
  const complete = [...content.matchAll(completeEntry)].flatMap(
    ([found]) => Entry.safeParse(parseJson(found)).data ?? [],
  )
  return complete.length > 0 ? complete : undefined
}

/** An entry in a text that is not valid JSON as a whole. */
const completeEntry = /\{\s*"id"\s*:\s*"?\d{1,9}"?\s*,\s*"text"\s*:\s*"[^"\\]*(?:\\.[^"\\]*)*"\s*\}/g

/** Returns the parts of a text that may be JSON, most likely first. */
function findJsonTexts(content: string): string[] {
  // Reasoning models write their thoughts before the answer.
  const answer = content.slice(content.lastIndexOf('</think>') + 1)
  const start = answer.search(/\{\s*"texts"/)
  const objectStart = start < 0 ? answer.indexOf('{') : start
  return [
    content,
    answer.slice(objectStart, answer.lastIndexOf('}') + 1),
    answer.slice(answer.indexOf('['), answer.lastIndexOf(']') + 1),
  ]
}

/** Accepts a list of entries, an object that contains one, and an object with texts by id. */
function toEntries(value: unknown): Entry[] | undefined {
  const list = Array.isArray(value) ? value : (value as { texts?: unknown } | null | undefined)?.texts
  if (Array.isArray(list)) return list.flatMap((entry) => Entry.safeParse(entry).data ?? [])
  const byId = z.record(z.string(), z.unknown()).safeParse(list ?? value).data ?? {}
  const entries = Object.entries(byId).flatMap(([id, text]) => Entry.safeParse({ id, text }).data ?? [])
  return entries.length > 0 ? entries : undefined
}
