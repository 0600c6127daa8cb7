import { pairedTags } from '../../src/content/markdown/parse-tags.ts'

/** Piece of Markdown to repeat; functions return a different piece for each index. */
export type Piece = string | ((index: number) => string)

const inlinePieces: readonly Piece[] = [
  [
    '*',
    '**',
    '_',
    '__',
    '~',
    '~~',
    '`',
    '``',
    '[',
    '![',
    ']',
    '](',
    ')',
    '(',
    '<',
    '>',
    '"',
    "'",
    '\\',
    '|',
    '$',
    '$$',
  ],
  ['*a', 'a*', '_a_', '**a**', '~~a~~', '`a`', '[a](b)', '![a](b)', '[a][b]', '[a]', '[a](b "mention")', '$$a$$'],
  ['&', '&amp;', '&#1', '&#x26;', ':', ':a:', ':smile:', '@', 'a@', 'a@b', 'a@b.c', '/', '.', '-', '+', '=', '#', '!'],
  [
    'http://',
    'https://a.b',
    'www.',
    'www.a.b',
    'mailto:a@b.c',
    '<http://a.b>',
    '[^a]',
    '[^',
    '^',
    '{%',
    '%}',
    '{',
    '}',
  ],
  ['<!--', '-->', '<?', '?>', '<![CDATA[', '<!A', '<a', '<a ', '<a b="', "<a b='", '</', '</a>', '<b>', '</b>', '<br>'],
  [
    '<mark style="color:red;">',
    '</mark>',
    '<kbd>',
    '<sup>',
    '<code>',
    '</code>',
    '<img src="a">',
    '<picture>',
    '</picture>',
  ],
  [
    '<u>',
    '</u>',
    '<!-- a -->',
    '<script>',
    '</script>',
    '<svg>',
    '<title>',
    '</title>',
    '<a id="a"></a>',
    '<font color="red">',
  ],
  [
    '<span style="color:#123456">',
    '</span>',
    '<iframe src="https://a.b">',
    '<center>',
    '</center>',
    '<p>',
    '<h2>',
    '<li>',
  ],
  ['<a href="b">', '<a href="#a" id="a"></a>', '<i class="fa-a">', '</i>', '<span data-tag="emoji" data-code="1f600">'],
  ['<button data-action="ask">', '</button>', '<a class="button" href="a">', '<code class="expression">'],
  [
    'a',
    ' ',
    '\t',
    '\n',
    '  \n',
    'a  \n',
    'a\\\n',
    '\r\n',
    '\r',
    'é',
    '中',
    '：**中',
    '中*（',
    '👍',
    '\u00a0',
    '\ue000',
    '\0',
    'ab ',
    'a.',
  ],
].flat()

const blockPieces: readonly Piece[] = [
  ['*\n\n    a\n', '1.\n\n    '],
  [
    '> ',
    '- ',
    '* ',
    '+ ',
    '1. ',
    '1) ',
    '# ',
    '## ',
    '### ',
    '    ',
    '- [ ] ',
    '\n> ',
    '\n- ',
    '\n  - ',
    '\n1. ',
    '\n\n',
  ],
  [
    'a\n\n',
    '- a\n',
    '- a\n\n',
    '> a\n',
    '> a\n\n',
    '# a\n',
    '## a\n',
    '1. a\n',
    '    a\n',
    '***\n',
    '---\n',
    '===\n',
    '- - ',
  ],
  [
    '```\n',
    '~~~\n',
    '````\n',
    '```a\nb\n```\n',
    '$$\n',
    '$$\na\n$$\n',
    '| a ',
    '|-',
    '|-|\n',
    '| a | b |\n',
    '| a |\n| - |\n',
  ],
  [
    '[a]: b\n',
    '[^a]: b\n',
    '[^a]: b [^a]\n',
    '[^a]:\n    b\n\n',
    '![a](b)\n\n',
    '![a](b "c")\n\n',
    ': a\n',
    'a\n===\n',
  ],
  [
    '<div>\n',
    '</div>\n',
    '<div>\n\n',
    '</div>\n\n',
    '<details>\n',
    '<details>\n\n',
    '<details><summary>a</summary>\n\n',
  ],
  [
    '</details>\n\n',
    '<summary>',
    '</summary>',
    '<summary>a</summary>\n\n',
    '<p>',
    '</p>',
    '<p>a</p>\n',
    '<h2 id="a">',
    '</h2>',
  ],
  [
    '<table>',
    '<thead>',
    '<tr>',
    '<th>',
    '<td>',
    '<td>a</td>',
    '</tr>',
    '</table>',
    '<table><tr><th>a</th></tr></table>\n\n',
  ],
  [
    '<pre>',
    '<pre>\n\n',
    '</pre>',
    '<pre><code>',
    '</code></pre>',
    '<pre><code>a\n</code></pre>\n\n',
    '<strong>',
    '</strong>',
  ],
  [
    '<figure>',
    '</figure>',
    '<figcaption>',
    '</figcaption>',
    '<figure><img src="a"></figure>\n\n',
    '<ul>',
    '<ol>',
    '<li>',
    '</ul>',
  ],
  [
    '<script>\n',
    '</script>\n',
    '<style>\n',
    '<!--\n',
    '-->\n',
    '<!-- a -->\n\n',
    '<blockquote>',
    '</blockquote>',
    '<hr>',
  ],
  [
    '<div data-gb-custom-block data-tag="hint">\n\n',
    '<div data-gb-custom-block data-tag="math">',
    '<input type="checkbox">',
  ],
  [
    '{% hint\n',
    '{% hint "\n',
    '{% hint "\\"\n',
    '{% hint a="\n\n" %}\n',
    '{% raw %}\n',
    '{% a %}',
    '{% include "a" %}\n',
  ],
  [
    '{% @mermaid/diagram content="a" %}\n',
    '{% content-ref url="a" %}\n',
    '{% if a %}\n',
    '{% if (((a %}\n',
    '{% page-ref page="a" %}\n',
  ],
  [
    '{% step %}\n',
    '> {% hint %}\n',
    '- {% hint %}\n',
    '    {% hint %}\n',
    '{% code %}\n```\na\n```\n{% endcode %}\n',
    '{{ a }}\n',
  ],
  ['| <p>a</p><ul><li>b |\n', '| `a | b` | c |\n', '* a {% if a %}\n  b {% endif %}\n', '  b {% endhint %}\n'],
  [
    '!!! note\n    a\n',
    '??? a "b"\n',
    '    !!! a\n',
    '=== "a"\n\n    b\n\n',
    '    === "a"\n',
    '<Note>\n',
    '</Note>\n',
    '<Note>\na\n</Note>\n',
    '<A b="c" />\n',
  ],
  ['<A b={', '<A\n', '<A b="\n', '  <Note>\n', '<Note>a</Note>\n', '<Note>a', '</Note>', '<A b="c" title="d"\n/>\n'],
  [
    '{% em %}',
    '{% endem %}',
    '{% em %}a{% endem %} ',
    '{% method %}\n',
    '{% endmethod %}\n',
    '| {% hint %} a {% endhint %} |\n',
    '| {% endhint %} |\n',
    '{% hint %}\n| {% endhint %} |\n',
    '{% tabs %}\n    {% tab %}\n        a\n    {% endtab %}\n{% endtabs %}\n',
    (index: number) => `${' '.repeat(index % 100)}{% hint %}\n`,
    '<aside>\n',
    '<table><tr><td>\n\n',
    '<table><caption>a</caption><tr><td>&eacute;</td></tr></table>\n\n',
    '{% hint %}\na  \n{% endhint %}\n\n',
    '{% /a %}',
  ],
  [
    '{{< a >}}\n',
    '{{< /a >}}\n',
    '{{% a %}}\n',
    '{: .a }\n',
    'a\n{: .a }\n\n',
    "import a from 'b'\n\n",
    'import a from ',
    '> [!a]- b\n',
    '> [!a] b\n> c\n\n',
    '> 📘 a\n',
    ':::a[b]{.c}\n',
    '::: {.a b="c"}\n',
    '{.a}',
    '[a](b){.c}',
    '**a**{.b',
    'a {.b}\n\n',
    '{% #a %}',
    '| a |\n| - |\n{: .b}\n',
    '{: .b}\n',
    '* a\n{:toc}\n\n',
    '## a {/* #b */}\n',
  ],
  ['<table>\n<tr>\n<td>\n\n', '</td>\n</tr>\n</table>\n\n', 'a</td>\n\n', '<ul>\n<li>\n\n', '<blockquote>\n\n'],
  ['- a\n  {% hint %}\nb\n{% endhint %}\n', '  {% hint %}\n', '[a][]', '[a] <http://a.b> '],
  ['---\na: b\n---\n', 'a: b\n', 'a: |\n', '- a: b\n', '{a: ', '[a, ', '&a ', '*a ', '? ', '!!a '],
  ['* [a](b.md)\n', '  * [a](b.md)\n', '## a <a href="#a" id="a"></a>\n', '* [a', '* ```yaml\n'],
].flat()

/** Pieces that differ each time. */
const numberedPieces: readonly Piece[] = [
  (index) => `[a${index}]: b\n`,
  (index) => `[^a${index}]: b\n`,
  (index) => `[^a${index}]: b [^a${index + 1}]\n\n`,
  (index) => `[^a${index}] `,
  (index) => `a${index}[^a]\n\n`,
  (index) => `a${index} b${index}\n\n`,
  (index) => `## a${index}\n\n`,
  (index) => `| a${index} | b |\n`,
  (index) => `- a${index}\n`,
  (index) => `<t${index}>`,
  (index) => `* [a${index}](b${index}.md)\n`,
  (index) => `a${index}: b\n`,
  (index) => '`'.repeat((index % 300) + 1) + 'a',
  (index) => `${' '.repeat(index % 100)}- a\n`,
  (index) => `{% hint style="${index}" %}\na\n{% endhint %}\n`,
]

const tagPieces: readonly Piece[] = [...pairedTags.keys()].flatMap((name) => [
  `{% ${name} %}\n\n`,
  `{% ${name} src="a" url="a" title="b" %}\na\n{% end${name} %}\n\n`,
])

export const pieces: readonly Piece[] = [...inlinePieces, ...blockPieces, ...numberedPieces, ...tagPieces]
/** Pieces for pairs: all except most of the tags, which are parsed in the same way. */
export const pairedPieces: readonly Piece[] = [
  ...inlinePieces,
  ...blockPieces,
  ...numberedPieces,
  '{% hint %}\n',
  '{% endhint %}\n',
  '{% tabs %}\n',
]

/** Function that combines pieces to a text of about the given length. */
export type Shape = (length: number) => string

const nameOf = (piece: Piece) => JSON.stringify(typeof piece === 'string' ? piece : `${piece(1)}…`)

function repeatToLength(piece: Piece, length: number, from = 0): string {
  if (typeof piece === 'string') return piece.repeat(Math.ceil(length / piece.length))
  const parts: string[] = []
  for (let [index, size] = [from, 0]; size < length; index++) {
    const part = piece(index)
    parts.push(part)
    size += part.length
  }
  return parts.join('')
}

export interface RepeatedText {
  name: string
  make: Shape
}

/** Returns texts that repeat one piece: without separators, in lines, in paragraphs, in words, and inside other blocks. */
export function repeatPiece(piece: Piece): RepeatedText[] {
  const name = nameOf(piece)
  const joined =
    (between: string): Piece =>
    (index) =>
      (typeof piece === 'string' ? piece : piece(index)) + between
  return [
    { name, make: (length) => repeatToLength(piece, length) },
    { name: `a + ${name}, end`, make: (length) => `a ${repeatToLength(piece, length)} a\n\nend\n` },
    ...['\n', '\n\n', ' ', 'a', ' a\n'].map((between) => ({
      name: `${name} + ${JSON.stringify(between)}`,
      make: (length: number) => repeatToLength(joined(between), length),
    })),
    ...['> ', '- ', '| ', '## ', '<b>', '<td>', '[a](', '{% hint %}\n', '```\n', '---\n', '`', '[^a]: ', '# '].map(
      (before) => ({
        name: `${JSON.stringify(before)}, then ${name}`,
        make: (length: number) => before + repeatToLength(piece, length),
      }),
    ),
  ]
}

/** Returns texts that repeat two pieces: alternating, and many of one before many of the other. */
export function repeatPair(one: Piece, other: Piece): RepeatedText[] {
  const name = `${nameOf(one)} and ${nameOf(other)}`
  const both: Piece = (index) =>
    (typeof one === 'string' ? one : one(index)) + (typeof other === 'string' ? other : other(index))
  return [
    { name: `${name} by turns`, make: (length) => repeatToLength(both, length) },
    { name: `many ${name}`, make: (length) => repeatToLength(one, length / 2) + repeatToLength(other, length / 2) },
  ]
}
