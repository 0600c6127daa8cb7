import { type SpecObject, getList, getText, isSpecObject } from './spec.ts'

/** A code sample of a request. */
export interface CodeSample {
  title: string
  syntax: string
  code: string
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

/** Returns the labels of an operation, such as `Beta`: `x-badges`, `x-badge` and `x-stability`. */
export function readBadges(operation: SpecObject): string[] {
  const badges = [...getList(operation, 'x-badges').slice(0, maxBadges), operation['x-badge']].flatMap((badge) => {
    if (typeof badge === 'string') return [badge]
    return isSpecObject(badge) ? [getText(badge, 'name') ?? getText(badge, 'label')] : []
  })
  const stability = getText(operation, 'x-stability')
  return [...badges, stability === 'stable' ? undefined : stability].filter(
    (badge): badge is string => badge !== undefined && badge.trim() !== '',
  )
}
