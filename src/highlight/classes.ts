// What a token of code is, in a dozen kinds. Grammars speak in scopes, pages in these classes, themes in colours for both.
// Punctuation is not among them: it is a third of all tokens, and in most themes it looks like text.

interface TokenKind {
  /** What grammars call it. As in themes, the innermost scope decides, and then the longest name. */
  scopes: readonly string[]
  /** Where the colour for it stands in a theme: the first that the theme knows. */
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
  /** Parameters, and variables where they are marked as such. */
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
  /** What is not text in a string: escapes, patterns, the marks around an expression. */
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
  /** Tags of markup. */
  g: {
    scopes: ['entity.name.tag', 'support.class.component'],
    wanted: ['entity.name.tag'],
  },
  /** Attributes and the keys of data. */
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
  /** Lines that were put in. */
  i: {
    scopes: [
      'markup.inserted',
      'punctuation.definition.inserted',
      'meta.diff.header.to-file',
      'punctuation.definition.to-file',
    ],
    wanted: ['markup.inserted'],
  },
  /** Lines that were taken out. */
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

/** What has no colour of its own, whatever it stands in: operators, code within strings, the plain words of a command. */
export const plainScopes = [
  'keyword.operator',
  'storage.type.function.arrow',
  'meta.embedded',
  'meta.interpolation',
  'meta.template.expression',
  'source.embedded',
  'string.unquoted.argument',
]
