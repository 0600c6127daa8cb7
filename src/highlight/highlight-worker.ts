import { createHighlighterCore } from 'shiki/core'
import { createOnigurumaEngine } from 'shiki/engine/oniguruma'
import { bundledLanguagesBase } from 'shiki/langs'
import { EncodedTokenMetadata, INITIAL } from 'shiki/textmate'
import { serveTasks } from '../threads/serve.ts'
import { plainScopes, tokenClasses, tokenKinds } from './classes.ts'

// Runs in a worker thread; a grammar is loaded when its language is first used.

export interface CodeToColour {
  code: string
  /** ID of a grammar. */
  language: string
}

// The theme only encodes classes: the last digits of a color are the number of a class.
const colourOf = (number: number): string => `#${number.toString(16).padStart(6, '0').toUpperCase()}`
const plain = colourOf(0)
const theme = {
  name: 'classes',
  type: 'light' as const,
  fg: plain,
  bg: '#FFFFFF',
  settings: [
    { settings: { foreground: plain, background: '#FFFFFF' } },
    ...tokenClasses.map((name, index) => ({
      scope: [...tokenKinds[name].scopes],
      settings: { foreground: colourOf(index + 1) },
    })),
    { scope: plainScopes, settings: { foreground: plain } },
  ],
}

const highlighter = await createHighlighterCore({
  themes: [theme],
  langs: [],
  engine: createOnigurumaEngine(import('shiki/wasm')),
})
const classes = highlighter
  .setTheme(theme.name)
  .colorMap.map((mark) => tokenClasses[Number.parseInt(mark.slice(1), 16) - 1])

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Escapes text for use between tags only, where quotes need no escaping. */
const escaped = (text: string): string => text.replace(/[&<>]/g, (character) => escapes[character] as string)

/** Merges adjacent tokens with the same class, including the whitespace between them, into one element. */
class LineWriter {
  #html = ''
  #run = ''
  #blanks = ''
  #name: string | undefined

  add(text: string, name: string | undefined): void {
    if (text.trim() === '') {
      this.#blanks += text
      return
    }
    if (name !== this.#name) {
      this.#close()
      this.#name = name
    }
    this.#run += this.#blanks + text
    this.#blanks = ''
  }

  end(): string {
    this.#close()
    return this.#html
  }

  #close(): void {
    const text = escaped(this.#run)
    this.#html += this.#name === undefined || text === '' ? text : `<span class="${this.#name}">${text}</span>`
    this.#html += this.#blanks
    this.#run = ''
    this.#blanks = ''
  }
}

function colour(code: string, language: string): string {
  const grammar = highlighter.getLanguage(language)
  let state = INITIAL
  const lines = code.split('\n').map((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine2(line.replace(/\r$/, ''), state)
    state = ruleStack
    const writer = new LineWriter()
    for (let index = 0; index < tokens.length; index += 2) {
      const name = classes[EncodedTokenMetadata.getForeground(tokens[index + 1] ?? 0)]
      writer.add(line.slice(tokens[index], tokens[index + 2]), name)
    }
    return writer.end()
  })
  return lines.join('\n')
}

serveTasks({
  async load({ language }: CodeToColour) {
    const grammar = bundledLanguagesBase[language]
    if (grammar) await highlighter.loadLanguage(grammar)
  },
  run: ({ code, language }) => colour(code, language),
})
