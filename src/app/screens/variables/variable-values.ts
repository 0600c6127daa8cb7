import type { Variable } from '../../../contract/content-items.ts'

export type VariableValue = Variable['value']
export type VariableType = 'text' | 'number' | 'boolean'

/** Expressions contain the name, so the server accepts only such names. */
export const isVariableName = (name: string): boolean => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) && name.length <= 100

export const typeOfValue = (value: VariableValue): VariableType =>
  typeof value === 'string' ? 'text' : (typeof value as 'number' | 'boolean')

/** Returns the value that was entered; undefined if it does not have the type. */
export function parseValue(text: string, type: VariableType): VariableValue | undefined {
  if (type === 'text') return text.length <= 256 ? text : undefined
  if (type === 'boolean') return text === 'true'
  const value = Number(text)
  return text.trim() !== '' && Number.isFinite(value) ? value : undefined
}

/** Returns the Markdown that shows the value of a variable. */
export const toVariableMarkdown = (name: string): string => `<code class="expression">space.vars.${name}</code>`
