// Content and requests that cost a published site as much as possible, for tests and for the benchmark of attacks.

/** Formulas of at most 2000 characters that take long to render or have a very long result, by their content. */
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

/** Returns the Markdown of a page with many different formulas that have a very long result. */
export const pageOfFormulas = (count: number): string =>
  Array.from({ length: count }, (_, index) => `$$\n\\begin{matrix}${index}${'&'.repeat(1960)}\\end{matrix}\n$$`).join(
    '\n\n',
  )

/** Returns a search query of many one-letter words; most of them are found in every section. */
export const queryOfLetters = (words: number): string =>
  Array.from({ length: words }, (_, index) => String.fromCharCode(0x61 + (index % 26))).join(' ')

/** Returns a body for `~mcp` with the maximum number of messages, each a different search. */
export const batchOfSearches = (number: number): string =>
  JSON.stringify(
    Array.from({ length: 20 }, (_, index) => ({
      jsonrpc: '2.0',
      id: index,
      method: 'tools/call',
      params: { name: 'search', arguments: { query: `${queryOfLetters(16)} ${number}x${index}`, limit: 50 } },
    })),
  )

/** Requests to a site that are as expensive as possible and never repeated, by their kind. */
export const hostileRequests: Readonly<Record<string, (number: number) => { path: string; init?: RequestInit }>> = {
  'unknown parameters': (number) => ({ path: `?x=${number}` }),
  'cookies that mean nothing': (number) => ({
    path: '',
    init: { headers: { cookie: `gitbook-visitor-token=${number}; gitbook-visitor-public-x=${number}` } },
  }),
  'whole texts': (number) => ({ path: `llms-full.txt?x=${number}` }),
  sitemaps: (number) => ({ path: `sitemap.xml?x=${number}` }),
  searches: (number) => ({ path: `~search?q=${encodeURIComponent(`${queryOfLetters(250)} x${number}`)}` }),
  'searches for common words': (number) => ({ path: `~search.json?q=page%20x${number}` }),
  'absent pages': (number) => ({ path: `page-a-b-c-d-e-${number}`, init: { headers: { accept: 'text/html' } } }),
  'searches of assistants': (number) => ({
    path: '~mcp',
    init: { method: 'POST', headers: { 'content-type': 'application/json' }, body: batchOfSearches(number) },
  }),
}

/** Returns a condition that takes nearly the maximum number of steps, and differs by its number. */
export const hostileCondition = (number: number): string =>
  `${number} == ${number} && [${'1,'.repeat(60)}1].every((a) => [${'1,'.repeat(60)}1].includes(a))`

/** Returns a segment of a JPEG file. */
const segment = (marker: number, ...content: number[]): number[] => [0xff, marker, 0, content.length + 2, ...content]

/** Returns a number as two bytes. */
const bigEndian16 = (value: number): number[] => [value >> 8, value & 0xff]

/** Returns a gray progressive JPEG of few bytes with any number of scans, of which all but the first are empty. */
export function progressiveJpeg({ size, scans }: { size: number; scans: number }): Uint8Array {
  const blocks = Math.ceil(size / 8) ** 2
  const lengths = [1, ...Array.from({ length: 15 }, () => 0)]
  /** Huffman tables with one symbol each, encoded as one bit. */
  const tables = [...segment(0xc4, 0x00, ...lengths, 0), ...segment(0xc4, 0x10, ...lengths, 0xe0)]
  const scan = (from: number, to: number) => segment(0xda, 1, 1, 0x00, from, to, 0)
  // One bit per block: the same gray as before.
  const first = [...scan(0, 0), ...Array.from({ length: Math.ceil(blocks / 8) }, () => 0)]
  // The symbol, and 14 bits that make it the end of 24,576 blocks.
  const bits = '010000000000000'.repeat(Math.ceil(blocks / 24_576))
  const rest = [...scan(1, 63), ...(bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '1'), 2))]
  return Uint8Array.from([
    0xff,
    0xd8,
    ...segment(0xdb, 0, ...Array.from({ length: 64 }, () => 1)),
    ...segment(0xc2, 8, ...bigEndian16(size), ...bigEndian16(size), 1, 1, 0x11, 0),
    ...tables,
    ...first,
    ...Array.from({ length: scans - 1 }, () => rest).flat(),
    0xff,
    0xd9,
  ])
}
