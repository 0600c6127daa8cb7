// Classes of code tokens. Grammars use scopes, pages use these classes, and themes define colors for scopes.
// Punctuation has no class: it is a third of all tokens, and most themes show it like text.

interface TokenKind {
  /** Scopes in grammars. As in themes, the innermost scope takes precedence, and then the longest name. */
  scopes: readonly string[]
  /** Scopes from which to take the color in a theme: the first one that the theme defines. */
  wanted: readonly string[]
}

export const tokenKinds = {
  /** Keywords. */
  k: {
    scopes: [
      'keyword',
      'storage',
      'variable.language',
      'keyword.operator.new',
      'keyword.operator.expression',
      'keyword.operator.delete',
      'keyword.operator.wordlike',
      'keyword.operator.word',
      'keyword.operator.logical.python',
      'entity.name.function.macro.rules',
      'markup.heading',
      'entity.name.section',
    ],
    wanted: ['keyword.control', 'keyword', 'storage.type', 'storage'],
  },
  /** Strings. */
  s: {
    scopes: [
      'string',
      'markup.inline.raw',
      'markup.fenced_code',
      'string.unquoted.plain.out.yaml',
      'storage.type.string.python',
      'string.other.link',
    ],
    wanted: ['string.quoted', 'string'],
  },
  /** Comments. */
  c: {
    scopes: ['comment', 'string.quoted.docstring', 'markup.quote', 'meta.diff.header', 'meta.separator.diff'],
    wanted: ['comment'],
  },
  /** Functions and commands. */
  f: {
    scopes: [
      'entity.name.function',
      'entity.name.command',
      'support.function',
      'punctuation.decorator',
      'punctuation.definition.decorator',
      'variable.function',
    ],
    wanted: ['entity.name.function', 'support.function', 'meta.function-call'],
  },
  /** Numbers and other constants. */
  n: {
    scopes: [
      'constant',
      'support.constant',
      'punctuation.definition.entity.html',
      'variable.other.enummember',
      'keyword.other.unit',
      'markup.changed',
      'string.unquoted.version.http',
    ],
    wanted: ['constant.numeric', 'constant.language', 'constant'],
  },
  /** Parameters, and variables with a distinct syntax. */
  v: {
    scopes: [
      'variable.parameter',
      'entity.name.variable.parameter',
      'variable.other.normal.shell',
      'variable.other.bracket.shell',
      'punctuation.definition.variable',
      'variable.other.php',
      'variable.other.readwrite.powershell',
    ],
    wanted: ['variable.parameter', 'variable'],
  },
  /** Special parts of strings: escapes, regular expressions, and delimiters of embedded expressions. */
  e: {
    scopes: [
      'constant.character.escape',
      'string.regexp',
      'punctuation.definition.template-expression',
      'punctuation.definition.interpolation',
      'punctuation.section.interpolation',
      'punctuation.section.embedded',
      'constant.other.placeholder',
      'constant.character.format.placeholder',
    ],
    wanted: ['constant.character.escape', 'punctuation.definition.template-expression', 'string.regexp'],
  },
  /** Links. */
  l: {
    scopes: ['markup.underline.link', 'string.other.link.destination'],
    wanted: ['markup.underline.link', 'string.other.link', 'entity.name.function'],
  },
  /** Types. */
  t: {
    scopes: [
      'entity.name.type',
      'entity.name.class',
      'entity.name.namespace',
      'entity.name.struct',
      'entity.name.enum',
      'entity.other.inherited-class',
      'support.type',
      'support.class',
      'storage.type.java',
      'storage.type.object',
      'storage.type.generic',
      'meta.diff.range',
      'punctuation.definition.range.diff',
      'entity.name.section.group-title',
    ],
    wanted: ['entity.name.type', 'entity.name.class', 'support.class', 'support.type', 'storage.type'],
  },
  /** Markup tags. */
  g: {
    scopes: ['entity.name.tag', 'support.class.component'],
    wanted: ['entity.name.tag'],
  },
  /** Attributes and keys of data. */
  a: {
    scopes: [
      'entity.other.attribute-name',
      'support.type.property-name',
      'entity.name.tag.yaml',
      'keyword.other.definition.ini',
      'constant.other.option',
      'entity.name.tag.http',
      'variable.key',
      'variable.other.dotenv',
      'storage.type.annotation',
      'punctuation.definition.annotation',
    ],
    wanted: ['entity.other.attribute-name', 'support.type.property-name', 'entity.name.tag'],
  },
  /** Inserted lines. */
  i: {
    scopes: [
      'markup.inserted',
      'punctuation.definition.inserted',
      'meta.diff.header.to-file',
      'punctuation.definition.to-file',
    ],
    wanted: ['markup.inserted'],
  },
  /** Deleted lines. */
  d: {
    scopes: [
      'markup.deleted',
      'punctuation.definition.deleted',
      'meta.diff.header.from-file',
      'punctuation.definition.from-file',
    ],
    wanted: ['markup.deleted'],
  },
} as const satisfies Record<string, TokenKind>

export type TokenClass = keyof typeof tokenKinds

export const tokenClasses = Object.keys(tokenKinds) as TokenClass[]

/** Default colors of tokens on a light background. */
export const defaultTokenColors: Readonly<Record<TokenClass, string>> = {
  k: '#8a3fb0',
  s: '#1a6b3c',
  c: '#6a6a75',
  f: '#2456b8',
  n: '#a1470c',
  v: '#7a4b12',
  e: '#0b6a78',
  l: '#2456b8',
  t: '#0b6a78',
  g: '#8a3fb0',
  a: '#2456b8',
  i: '#1a6b3c',
  d: '#b3261e',
}

/** Scopes without a color, wherever they occur: operators, code within strings, plain words of a command. */
export const plainScopes = [
  'keyword.operator',
  'storage.type.function.arrow',
  'meta.embedded',
  'meta.interpolation',
  'meta.template.expression',
  'source.embedded',
  'string.unquoted.argument',
]
