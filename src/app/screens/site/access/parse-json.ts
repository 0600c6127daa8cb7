import { defineTexts, fillText } from '../../../texts.ts'

const texts = defineTexts('siteJson', {
  invalid: 'This is not JSON: {problem}',
  line: 'Line {line}: {problem}',
  noObject: 'Write an object: { "name": "value" }',
})

type ParsedObject = { value: Record<string, unknown> } | { problem: string }

/** Parses a JSON object, or describes the error and its line. */
export function parseJsonObject(text: string): ParsedObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { problem: describeSyntaxError(text, error as Error) }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { problem: texts.noObject }
  return { value: value as Record<string, unknown> }
}

/** Browsers name the position of an error in different ways. */
function describeSyntaxError(text: string, { message }: Error): string {
  const position = /position (\d+)/.exec(message)?.[1]
  const line = /line (\d+)/.exec(message)?.[1] ?? (position && text.slice(0, Number(position)).split('\n').length)
  const problem = message.replace(/^JSON\.parse: /, '').replace(/ (?:in JSON )?at (?:position|line).*$/, '')
  return line === undefined ? fillText(texts.invalid, { problem }) : fillText(texts.line, { line, problem })
}
