/** Escaped markup. The template tag escapes everything else. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

type Renderable = Html | string | number | null | undefined | false | readonly Renderable[]

/** Template tag for markup: escapes texts, joins lists, and omits undefined, null and false. */
export function markup(strings: TemplateStringsArray, ...values: readonly Renderable[]): Html {
  let text = strings[0] ?? ''
  for (const [index, value] of values.entries()) text += renderValue(value) + (strings[index + 1] ?? '')
  return new Html(text)
}

export const nothing = new Html('')

/** Marks a string as safe markup. */
export const trusted = (text: string): Html => new Html(text)

function renderValue(value: Renderable): string {
  if (value instanceof Html) return value.text
  if (typeof value === 'string') return escapeText(value)
  if (typeof value === 'number') return String(value)
  if (!value) return ''
  let text = ''
  for (const item of value) text += renderValue(item)
  return text
}

const specialCharacters = /[&<>"']/
const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for element content and quoted attributes. */
export function escapeText(text: string): string {
  return specialCharacters.test(text) ? text.replace(/[&<>"']/g, (character) => escapes[character] as string) : text
}

/** Formats attributes, each preceded by a space; omits undefined and false ones. */
export function attributes(values: Readonly<Record<string, string | number | boolean | undefined>>): Html {
  let text = ''
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === false) continue
    text += value === true ? ` ${name}` : ` ${name}="${escapeText(String(value))}"`
  }
  return new Html(text)
}
