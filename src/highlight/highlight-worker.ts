import { createHighlighterCore } from 'shiki/core'
import { createOnigurumaEngine } from 'shiki/engine/oniguruma'
import { bundledLanguagesBase } from 'shiki/langs'
import { EncodedTokenMetadata, INITIAL } from 'shiki/textmate'
import { serveTasks } from '../threads/serve.ts'
import { sharePatterns } from './shared-patterns.ts'
import { plainScopes, tokenClasses, tokenKinds } from './token-classes.ts'

// Runs in a worker thread; a grammar is loaded when its language is first used.

export interface HighlightTask {
  code: string
  /** ID of a grammar. */
  language: string
}

// The theme only encodes classes: the last digits of a color are the number of a class.
const encodeClass = (number: number): string => `#${number.toString(16).padStart(6, '0').toUpperCase()}`
const plainColor = encodeClass(0)
const theme = {
  name: 'classes',
  type: 'light' as const,
  fg: plainColor,
  bg: '#FFFFFF',
  settings: [
    { settings: { foreground: plainColor, background: '#FFFFFF' } },
    ...tokenClasses.map((name, index) => ({
      scope: [...tokenKinds[name].scopes],
      settings: { foreground: encodeClass(index + 1) },
    })),
    { scope: plainScopes, settings: { foreground: plainColor } },
  ],
}

const highlighter = await createHighlighterCore({
  themes: [theme],
  langs: [],
  engine: sharePatterns(await createOnigurumaEngine(import('shiki/wasm'))),
})
const classByColor = highlighter
  .setTheme(theme.name)
  .colorMap.map((color) => tokenClasses[Number.parseInt(color.slice(1), 16) - 1])

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Escapes text for use between tags only, where quotes need no escaping. */
const escapeHtmlText = (text: string): string => text.replace(/[&<>]/g, (character) => escapes[character] as string)

/** Merges adjacent tokens with the same class, including the whitespace between them, into one element. */
class LineWriter {
  #html = ''
  #text = ''
  #whitespace = ''
  #className: string | undefined

  add(text: string, className: string | undefined): void {
    if (text.trim() === '') {
      this.#whitespace += text
      return
    }
    if (className !== this.#className) {
      this.#close()
      this.#className = className
    }
    this.#text += this.#whitespace + text
    this.#whitespace = ''
  }

  end(): string {
    this.#close()
    return this.#html
  }

  #close(): void {
    const text = escapeHtmlText(this.#text)
    this.#html +=
      this.#className === undefined || text === '' ? text : `<span class="${this.#className}">${text}</span>`
    this.#html += this.#whitespace
    this.#text = ''
    this.#whitespace = ''
  }
}

function highlight(code: string, language: string): string {
  const grammar = highlighter.getLanguage(language)
  let state = INITIAL
  const lines = code.split('\n').map((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine2(line.replace(/\r$/, ''), state)
    state = ruleStack
    const writer = new LineWriter()
    for (let index = 0; index < tokens.length; index += 2) {
      const className = classByColor[EncodedTokenMetadata.getForeground(tokens[index + 1] ?? 0)]
      writer.add(line.slice(tokens[index], tokens[index + 2]), className)
    }
    return writer.end()
  })
  return lines.join('\n')
}

const loadedLanguages = new Set<string>()

async function loadLanguage(language: string): Promise<void> {
  const grammar = bundledLanguagesBase[language]
  if (grammar) await highlighter.loadLanguage(grammar)
  loadedLanguages.add(language)
}

serveTasks({
  load: ({ language }: HighlightTask) => (loadedLanguages.has(language) ? undefined : loadLanguage(language)),
  run: ({ code, language }) => highlight(code, language),
})
