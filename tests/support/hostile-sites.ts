// Content and requests that cost a published site as much as possible, for tests and for the benchmark of attacks.

/** Formulas of at most 2000 characters that take long to render or become very long, by what they consist of. */
export const hostileFormulas: Readonly<Record<string, string>> = {
  'empty matrix cells': `\\begin{matrix}${'&'.repeat(1970)}\\end{matrix}`,
  'matrix rows and columns': `\\begin{matrix}${'&'.repeat(650)}${'\\\\'.repeat(650)}\\end{matrix}`,
  'filled matrix cells': `\\begin{matrix}${`${'a&'.repeat(30)}a\\\\`.repeat(30)}\\end{matrix}`,
  'accented letters': `\\text{${'é'.repeat(1990)}}`,
  'commutative diagrams': `\\begin{CD}${'A@>>>B@>>>'.repeat(190)}\\end{CD}`,
  'nested roots': `${'\\sqrt{'.repeat(280)}x${'}'.repeat(280)}`,
  subscripts: 'x_1+'.repeat(499),
  'nested braces': `${'\\overbrace{'.repeat(160)}x${'}'.repeat(160)}`,
  macros: `\\def\\a{${'x_1'.repeat(8)}}${'\\a'.repeat(190)}`,
  'an error at the end': `${'\\frac{1}{'.repeat(190)}\\undefined${'}'.repeat(190)}`,
}

/** Markdown of a page with many different formulas that become very long. */
export const pageOfFormulas = (count: number): string =>
  Array.from({ length: count }, (_, index) => `$$\n\\begin{matrix}${index}${'&'.repeat(1960)}\\end{matrix}\n$$`).join(
    '\n\n',
  )

/** A search query of many words of one letter, each different; most of them are found in every section. */
export const queryOfLetters = (words: number): string =>
  Array.from({ length: words }, (_, index) => String.fromCharCode(0x61 + (index % 26))).join(' ')
