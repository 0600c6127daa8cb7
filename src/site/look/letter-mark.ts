/** The letter that stands for a name. */
export function letterOf(name: string): string {
  const [letter] = /[\p{L}\p{N}]/u.exec(name) ?? []
  return (letter ?? '•').toLocaleUpperCase('en')
}
