import { type SpecObject, getList, getText, isSpecObject } from './spec.ts'

/** A code sample of a request. */
export interface CodeSample {
  title: string
  syntax: string
  code: string
}

/** A label of an operation, such as `Beta`. */
export interface OperationBadge {
  text: string
  position: 'before' | 'after'
}

const maxSamples = 20
const maxSampleLength = 20_000
const maxBadges = 10

/** Returns the code samples of `x-codeSamples`. */
export function readCodeSamples(operation: SpecObject): CodeSample[] {
  return [...getList(operation, 'x-codeSamples'), ...getList(operation, 'x-code-samples')]
    .slice(0, maxSamples)
    .filter(isSpecObject)
    .flatMap((fields) => {
      const code = getText(fields, 'source')
      const language = getText(fields, 'lang') ?? getText(fields, 'label')
      if (code === undefined || language === undefined) return []
      const title = getText(fields, 'label') ?? language
      return [{ title, syntax: language.toLowerCase(), code: code.trimEnd().slice(0, maxSampleLength) }]
    })
}

/** Returns the badges of `x-badges`, `x-badge`, `x-stability` and `x-gitbook-badges`. */
export function readBadges(operation: SpecObject): OperationBadge[] {
  const badges = [...getList(operation, 'x-badges'), ...getList(operation, 'x-gitbook-badges'), operation['x-badge']]
    .slice(0, maxBadges)
    .flatMap((badge): OperationBadge[] => {
      if (typeof badge === 'string' && badge.trim() !== '') return [{ text: badge, position: 'after' }]
      const text = isSpecObject(badge) ? (getText(badge, 'name') ?? getText(badge, 'label')) : undefined
      const position = isSpecObject(badge) && badge['position'] === 'before' ? 'before' : 'after'
      return text === undefined ? [] : [{ text, position }]
    })
  const stability = getText(operation, 'x-stability')
  return stability === undefined || stability === 'stable'
    ? badges
    : [...badges, { text: stability, position: 'after' }]
}
