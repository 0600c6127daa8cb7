/** Encodes the fields of a form as in a URL. */
export const encodeForm = (fields: readonly { name: string; value: string }[]): string =>
  new URLSearchParams(fields.map(({ name, value }): [string, string] => [name, value])).toString()
