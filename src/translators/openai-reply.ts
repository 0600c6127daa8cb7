import { createYielder } from '../kernel/event-loop.ts'
import { EngineError } from './engine.ts'
import { normalizeMarkup } from './markup.ts'
import {
  type ServiceReply,
  getField,
  invalidReply,
  isEventStream,
  maxReplyBytes,
  parseJson,
} from './service-request.ts'

// Replies are read without schemas, because validating a list with a million wrong entries would block the process.

/** Text that the model wrote. */
export interface Completion {
  content: string
  tokens: number | undefined
}

/** Reads a completion, which is a JSON value or a stream of server-sent events, whatever was requested. */
export async function parseCompletion({ contentType, text }: ServiceReply): Promise<Completion> {
  const isStream = isEventStream(contentType) || /^\s*(?:data|event|id|retry)?:/.test(text)
  if (isStream) return parseStream(text)
  const reply = parseJson(text)
  const content = readContent(getField(getFirstChoice(reply), 'message'))
  if (content === undefined) throw invalidReply('it has no message')
  return { content, tokens: readTokens(reply) }
}

async function parseStream(text: string): Promise<Completion> {
  const completion: Completion = { content: '', tokens: undefined }
  const yieldIfDue = createYielder()
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    await yieldIfDue()
    if (!line.startsWith('data:')) continue
    if (line.length + completion.content.length > maxReplyBytes) throw invalidReply('it is too large')
    const data = line.slice('data:'.length).trim()
    if (data === '[DONE]') break
    const chunk = parseJson(data)
    if (chunk === undefined) throw invalidReply('a part of the stream is not valid')
    if (getField(chunk, 'error'))
      throw new EngineError('unavailable', 'The translation service failed while it sent the reply')
    completion.content += readContent(getField(getFirstChoice(chunk), 'delta')) ?? ''
    completion.tokens = readTokens(chunk) ?? completion.tokens
  }
  return completion
}

function getFirstChoice(reply: unknown): unknown {
  const choices = getField(reply, 'choices')
  return Array.isArray(choices) ? choices[0] : undefined
}

/** Returns the content of a message, which is a text or a list of parts with texts. */
function readContent(message: unknown): string | undefined {
  const content = getField(message, 'content')
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return undefined
  const texts = content.map((part) => getField(part, 'text'))
  return texts.filter((text) => typeof text === 'string').join('')
}

function readTokens(reply: unknown): number | undefined {
  const usage = getField(reply, 'usage')
  const [total, ...parts] = ['total_tokens', 'prompt_tokens', 'completion_tokens'].map((name) => getField(usage, name))
  if (isCount(total)) return total
  const counts = parts.filter(isCount)
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0)
}

const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < 1e9

interface Entry {
  id: number
  text: string
}

/** Returns the translations of the texts 1 to `count`; undefined for texts that the model left out or returned twice. */
export function readTranslations(content: string, count: number): (string | undefined)[] {
  const entries = findEntries(content)
  if (!entries) throw invalidReply('it has no list of translated texts')
  const texts = Array.from<string | undefined>({ length: count })
  const seen = new Set<number>()
  for (const { id, text } of entries) {
    if (id < 1 || id > count) continue
    texts[id - 1] = seen.has(id) ? undefined : normalizeMarkup(text)
    seen.add(id)
  }
  return texts
}

/** Finds the list of texts, even if the model wrote other text around it or did not finish it. */
function findEntries(content: string): Entry[] | undefined {
  for (const candidate of findJsonTexts(content)) {
    const entries = toEntries(parseJson(candidate))
    if (entries) return entries
  }
  return findCompleteEntries(content)
}

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
  const texts = Array.isArray(value) ? value : (getField(value, 'texts') ?? value)
  if (Array.isArray(texts)) return texts.flatMap((entry) => toEntry(getField(entry, 'id'), getField(entry, 'text')))
  if (typeof texts !== 'object' || texts === null) return undefined
  const entries = Object.entries(texts).flatMap(([id, text]) => toEntry(id, text))
  return entries.length > 0 ? entries : undefined
}

/** Returns a list with the entry, which is empty if the id or the text is not valid. */
function toEntry(id: unknown, text: unknown): Entry[] {
  const number = typeof id === 'string' && /^\d{1,9}$/.test(id) ? Number(id) : id
  return isCount(number) && typeof text === 'string' ? [{ id: number, text }] : []
}

/** An entry in a text that is not valid JSON as a whole. */
const completeEntry = /\{\s*"id"\s*:\s*"?\d{1,9}"?\s*,\s*"text"\s*:\s*"[^"\\]*(?:\\.[^"\\]*)*"\s*\}/g

/** Maximum number of entries that are searched; a request has far fewer texts. */
const maxEntries = 1000

function findCompleteEntries(content: string): Entry[] | undefined {
  const entries: Entry[] = []
  for (const [found] of content.matchAll(completeEntry)) {
    const entry = parseJson(found)
    entries.push(...toEntry(getField(entry, 'id'), getField(entry, 'text')))
    if (entries.length >= maxEntries) break
  }
  return entries.length > 0 ? entries : undefined
}
