import { language } from '../../texts.ts'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Formats a number of bytes with a suitable unit. */
export function formatBytes(bytes: number): string {
  const index = Math.min(units.length - 1, bytes === 0 ? 0 : Math.floor(Math.log(bytes) / Math.log(1024)))
  return new Intl.NumberFormat(language.value, {
    style: 'unit',
    unit: units[index] as string,
    // The short form of bytes has no plural.
    unitDisplay: index === 0 ? 'long' : 'short',
    maximumFractionDigits: index === 0 ? 0 : 1,
  }).format(bytes / 1024 ** index)
}
