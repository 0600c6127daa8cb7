import { randomInteger, seededRandom } from './random.ts'

/** Generates Markdown in styles that authors use but no printer prints. Every word is unique. */
export class StyledMarkdown {
  readonly #chance: () => number
  #words = 0

  constructor(seed: number) {
    this.#chance = seededRandom(seed)
  }

  page(): string {
    const lines = this.#blocks(3)
    const newline = this.#pick(['\n', '\n', '\n', '\r\n'])
    return lines.join(newline) + newline
  }

  #number(low: number, high: number): number {
    return randomInteger(this.#chance, low, high)
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#number(0, items.length - 1)] as Item
  }

  #word(): string {
    return `w${++this.#words}w`
  }

  #line(): string {
    const words = Array.from({ length: this.#number(1, 5) }, () => {
      const word = this.#word()
      const link = `[${word}](<a b.md> 'title')`
      return this.#pick([
        word,
        word,
        word,
        `*${word}*`,
        `__${word}__`,
        `看**“${word}”**的`,
        `\`${word}\``,
        link,
        `\\!${word}`,
        `&lt;${word}`,
        `[${word}]`,
        `[${word}][]`,
        `<https://a.example/> ${word}`,
      ])
    })
    return words.join(this.#pick([' ', ' ', '  ', ', ']))
  }

  #blocks(depth: number): string[] {
    const lines: string[] = []
    for (let count = this.#number(1, 4); count > 0; count--) {
      if (lines.length > 0) lines.push(...this.#pick([[''], [''], ['', '']]))
      lines.push(...this.#block(depth))
    }
    return lines
  }

  #block(depth: number): string[] {
    switch (this.#number(0, depth > 0 ? 16 : 6)) {
      case 0:
      case 1:
      case 2:
        return this.#paragraph()
      case 3:
        return this.#pick([[`## ${this.#line()} ##`], [`###   ${this.#line()}`], [this.#line(), '---']])
      case 4:
        return this.#code()
      case 5:
        return this.#table()
      case 6:
        return this.#htmlTable()
      case 7:
      case 8:
      case 9:
        return this.#list(depth)
      case 10: {
        const mark = this.#pick(['> ', '>', '>  '])
        if (this.#number(0, 5) === 0) {
          const title = `> [!note]${this.#pick(['', '-'])} ${this.#word()} *${this.#word()}*`
          return [title, ...this.#blocks(depth - 1).map((line) => (line === '' ? '>' : `> ${line}`))]
        }
        return this.#blocks(depth - 1).map((line) => (line === '' ? '>' : mark + line))
      }
      case 11:
        if (this.#number(0, 2) === 0)
          return [
            '{% method %}',
            ...this.#blocks(depth - 1),
            '{% sample lang="js" %}',
            ...this.#paragraph(),
            '{% /method %}',
          ]
        return [`{%   hint style="info" %}`, ...this.#pick([[], ['']]), ...this.#blocks(depth - 1), '{% endhint %}']
      case 12:
        return [
          '{% tabs %}',
          ...Array.from({ length: this.#number(1, 2) }, () => [
            `{% tab title="${this.#word()}"   %}`,
            ...this.#blocks(depth - 1),
            '{% endtab %}',
          ]).flat(),
          ...this.#pick([[], ['']]),
          '{% endtabs %}',
        ]
      case 13:
        if (this.#number(0, 3) === 1)
          return Array.from({ length: this.#number(1, 2) }, () => [
            `=== "${this.#word()}"`,
            ...this.#pick([[], ['']]),
            ...[...this.#paragraph(), '', ...this.#blocks(depth - 1), ''].map((line) =>
              line === '' ? '' : `    ${line}`,
            ),
          ]).flat()
        return [
          `!!! ${this.#pick(['note', 'Custom inline'])}${this.#pick(['', ` "${this.#word()}"`])}`,
          ...[...this.#paragraph(), '', ...this.#blocks(depth - 1)].map((line) => (line === '' ? '' : `    ${line}`)),
        ]
      case 14: {
        const name = this.#pick(['Note', 'Warning', 'Unknown'])
        if (this.#number(0, 3) === 0) return [`<${name}>${this.#word()} ${this.#line()} ${this.#word()}</${name}>`]
        const opening = this.#pick([[`<${name}>`], [`<${name}`, `  id={{ a: ">" }}`, '>']])
        const indent = this.#pick(['', '  ', '    '])
        const lines = this.#blocks(depth - 1).map((line) => (line === '' ? '' : indent + line))
        return [...opening, ...this.#pick([[], ['']]), ...lines, `</${name}>`]
      }
      case 15: {
        const cell = () => ['<td>', '', ...this.#blocks(0), '', '</td>']
        return ['<table>', '<tr>', ...cell(), ...cell(), '</tr>', '</table>']
      }
      default:
        return ['<details>', `<summary> ${this.#word()} </summary>`, '', ...this.#blocks(depth - 1), '', '</details>']
    }
  }

  #paragraph(): string[] {
    return Array.from({ length: this.#number(1, 3) }, () => this.#line())
  }

  #code(): string[] {
    const lines = Array.from({ length: this.#number(1, 4) }, (_, index) =>
      index > 0 && this.#number(0, 4) === 0 ? '' : `${this.#pick(['', '  '])}${this.#word()} {% * _`,
    )
    const last = lines.findLastIndex((line) => line !== '')
    const fence = this.#pick(['```', '~~~~', undefined])
    if (fence === undefined) return lines.slice(0, last + 1).map((line) => (line === '' ? '' : `    ${line}`))
    return [
      `${fence} ${this.#pick(['', 'js', 'js title'])}`.trimEnd(),
      ...lines,
      `${fence}${this.#pick(['', fence[0]])}`,
    ]
  }

  #list(depth: number): string[] {
    const marker = this.#pick(['-', '+', '*', '1.', '1)', 'count'])
    const blanks = this.#pick([' ', ' ', '  ', '   '])
    const isLoose = this.#number(0, 2) === 0
    const isTask = marker === '-' && this.#number(0, 1) === 0
    const lines: string[] = []
    for (let index = 1; index <= this.#number(1, 4); index++) {
      const own = (marker === 'count' ? `${index}.` : marker) + blanks
      const [first, ...others] = this.#paragraph()
      const rest = this.#number(0, 2) === 0 ? ['', ...this.#blocks(depth - 2)] : []
      if (isLoose && lines.length > 0) lines.push('')
      lines.push(`${own}${isTask ? this.#pick(['[ ] ', '[x] ']) : ''}${first}`)
      for (const line of [...others, ...rest]) lines.push(line === '' ? '' : ' '.repeat(own.length) + line)
    }
    return lines
  }

  #table(): string[] {
    const width = this.#number(1, 3)
    const row = () =>
      Array.from({ length: width }, () =>
        this.#pick([
          this.#word(),
          `*${this.#word()}*`,
          `{% hint style="info" %} ${this.#word()} {% endhint %}`,
          `\`${this.#word()} \\| a\``,
        ]),
      )
    const rows = [row(), ...Array.from({ length: this.#number(1, 4) }, row)]
    const style = this.#pick(['padded', 'plain', 'tight'])
    const widths = rows.reduce(
      (most, cells) => cells.map((cell, at) => Math.max(most[at] ?? 3, cell.length)),
      [] as number[],
    )
    const print = (cells: readonly string[]) => {
      if (style === 'padded') return `| ${cells.map((cell, at) => cell.padEnd(widths[at] as number)).join(' | ')} |`
      return style === 'plain' ? `| ${cells.join(' | ')} |` : `|${cells.join('|')}|`
    }
    const rule = widths.map((most) => this.#pick(['-', ':']) + '-'.repeat(style === 'padded' ? most - 1 : 2))
    return [print(rows[0] as string[]), print(rule), ...rows.slice(1).map(print)]
  }

  #htmlTable(): string[] {
    const rows = Array.from(
      { length: this.#number(1, 3) },
      () => `    <tr><td> ${this.#word()}</td><td><b>${this.#word()}</b></td></tr>`,
    )
    return [
      '<table>',
      `  <thead><tr><th>${this.#word()}</th><th></th></tr></thead>`,
      '  <tbody>',
      ...rows,
      '  </tbody>',
      '</table>',
    ]
  }
}
