/** Text that is markup already. Everything else is escaped where it is put into some. */
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

/** Markup with values in it: texts are escaped, lists are written one behind the other, what is not there is left out. */
export function markup(strings: TemplateStringsArray, ...values: readonly Renderable[]): Html {
  let text = strings[0] ?? ''
  for (const [index, value] of values.entries()) text += textOf(value) + (strings[index + 1] ?? '')
  return new Html(text)
}

export const nothing = new Html('')

/** Markup that was made elsewhere, and made safe there. */
export const trusted = (text: string): Html => new Html(text)

function textOf(value: Renderable): string {
  if (value instanceof Html) return value.text
  if (typeof value === 'string') return escapeText(value)
  if (typeof value === 'number') return String(value)
  if (!value) return ''
  let text = ''
  for (const item of value) text += textOf(item)
  return text
}

const special = /[&<>"']/
const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Safe between tags and within quoted attributes. */
export function escapeText(text: string): string {
  return special.test(text) ? text.replace(/[&<>"']/g, (character) => escapes[character] as string) : text
}

/** Attributes, each with a blank before it; those that are not set are left out. */
export function attributes(values: Readonly<Record<string, string | number | boolean | undefined>>): Html {
  let text = ''
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === false) continue
    text += value === true ? ` ${name}` : ` ${name}="${escapeText(String(value))}"`
  }
  return new Html(text)
}
