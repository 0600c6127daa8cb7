/** Returns the first letter or digit of a name, in upper case. */
export function initialOf(name: string): string {
  const [letter] = /[\p{L}\p{N}]/u.exec(name) ?? []
  return (letter ?? '•').toLocaleUpperCase('en')
}
