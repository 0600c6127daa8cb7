/** Formats the size of a file for readers, such as `1.2 MB`. */
export function formatFileSize(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB']
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const value = bytes / 1000 ** power
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power]}`
}
