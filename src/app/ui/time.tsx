import { language } from '../texts.ts'
import { uiTexts } from './ui-texts.ts'

const units = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['week', 7 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Shows how long ago a time is; the tooltip contains the exact time. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={new Date(at).toLocaleString(language.value)}>
      {formatAge(at)}
    </time>
  )
}

/** Returns how long ago a time is in words. */
export function formatAge(at: string, now = Date.now()): string {
  const age = (Date.parse(at) - now) / 1000
  const unit = units.find(([, length]) => Math.abs(age) >= length)
  if (!unit) return uiTexts.now
  const format = new Intl.RelativeTimeFormat(language.value, { numeric: 'auto', style: 'short' })
  return format.format(Math.trunc(age / unit[1]), unit[0])
}
