import { SamlError } from './error.ts'

/** Element of an XML document. Names are without prefixes. */
export interface XmlElement {
  namespace: string
  name: string
  /** Values by name as written, without namespace declarations. */
  attributes: ReadonlyMap<string, string>
  children: XmlElement[]
  /** Text directly inside the element, without that of its children. */
  text: string
}

interface OpenElement {
  element: XmlElement
  qualifiedName: string
  prefixes: ReadonlyMap<string, string>
}

/** Limits of a document. */
export interface XmlLimits {
  elements: number
  /** Maximum number of namespace declarations. */
  declarations: number
}

/** Limits that no message of an identity provider reaches, and that keep the cost of verifying a message low. */
const messageLimits: XmlLimits = { elements: 1000, declarations: 200 }
const maxDepth = 24
const maxAttributes = 24

const namePattern = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?'
const space = '[ \\t\\r\\n]'
const equals = `${space}*=${space}*`
const quoted = `"[^"<]*"|'[^'<]*'`
const attribute = new RegExp(`(${namePattern})${equals}(${quoted})`, 'g')
const tag = new RegExp(`<(/?)(${namePattern})((?:${space}+${namePattern}${equals}(?:${quoted}))*)${space}*(/?)>`, 'y')
const declaration =
  /^\uFEFF?<\?xml\s+version\s*=\s*["']1\.0["'](?:\s+encoding\s*=\s*["']utf-8["'])?(?:\s+standalone\s*=\s*["'](?:yes|no)["'])?\s*\?>/i
// oxlint-disable-next-line no-control-regex -- these characters are not allowed in XML
const forbiddenCharacter = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/

/**
 * Reads the part of XML that SAML messages need, in linear time. Document types, entities, comments, CDATA sections and
 * processing instructions are refused: they serve no purpose in a message, and parsers that disagree about them are the
 * basis of most attacks on XML signatures.
 */
export function readXml(text: string, limits = messageLimits): XmlElement {
  if (forbiddenCharacter.test(text)) throw new SamlError('The XML contains a control character')
  let position = declaration.exec(text)?.[0].length ?? 0
  const root = newElement('', '', new Map())
  const open: OpenElement[] = [{ element: root, qualifiedName: '', prefixes: new Map() }]
  const rest = { ...limits }
  while (position < text.length) {
    const current = open.at(-1) as OpenElement
    const next = text.indexOf('<', position)
    const end = next === -1 ? text.length : next
    current.element.text += decodeText(text.slice(position, end))
    if (next === -1) break
    if (text[next + 1] === '!' || text[next + 1] === '?') throw new SamlError(describeMarkup(text, next))
    tag.lastIndex = next
    const match = tag.exec(text)
    if (!match) throw new SamlError('The XML is not well-formed')
    position = tag.lastIndex
    const [, slash = '', qualifiedName = '', attributes = '', empty = ''] = match
    if (slash !== '') {
      if (current.qualifiedName !== qualifiedName || attributes !== '' || empty !== '' || open.length === 1)
        throw new SamlError('The XML is not well-formed')
      open.pop()
      continue
    }
    const child = openElement(qualifiedName, attributes, current, rest)
    current.element.children.push(child.element)
    if (empty !== '') continue
    if (open.push(child) > maxDepth) throw new SamlError('The XML is nested too deeply')
  }
  const [element] = root.children
  if (open.length !== 1 || !element || root.children.length > 1 || root.text.trim() !== '')
    throw new SamlError('The XML is not well-formed')
  return element
}

function openElement(qualifiedName: string, attributeText: string, parent: OpenElement, rest: XmlLimits): OpenElement {
  if (--rest.elements < 0) throw new SamlError('The XML has too many elements')
  const attributes = new Map<string, string>()
  const declared = new Map<string, string>()
  for (const [, name = '', quotedValue = ''] of attributeText.matchAll(attribute)) {
    const value = decodeText(quotedValue.slice(1, -1)).replace(/[\t\n\r]/g, ' ')
    const isDeclaration = name === 'xmlns' || name.startsWith('xmlns:')
    const target = isDeclaration ? declared : attributes
    const key = isDeclaration ? name.slice('xmlns:'.length) : name
    if (target.has(key)) throw new SamlError('The XML repeats an attribute')
    target.set(key, value)
  }
  rest.declarations -= declared.size
  if (attributes.size + declared.size > maxAttributes || rest.declarations < 0)
    throw new SamlError('The XML has too many attributes')
  const prefixes = declared.size === 0 ? parent.prefixes : new Map([...parent.prefixes, ...declared])
  const [prefix, name] = splitName(qualifiedName)
  const namespace = prefixes.get(prefix)
  if (namespace === undefined && prefix !== '') throw new SamlError('The XML uses a prefix that is not declared')
  return { element: newElement(namespace ?? '', name, attributes), qualifiedName, prefixes }
}

const newElement = (namespace: string, name: string, attributes: ReadonlyMap<string, string>): XmlElement => ({
  namespace,
  name,
  attributes,
  children: [],
  text: '',
})

function splitName(qualifiedName: string): [string, string] {
  const colon = qualifiedName.indexOf(':')
  return colon === -1 ? ['', qualifiedName] : [qualifiedName.slice(0, colon), qualifiedName.slice(colon + 1)]
}

function describeMarkup(text: string, position: number): string {
  if (/^<!(?:DOCTYPE|ENTITY)/i.test(text.slice(position, position + 9)))
    return 'The XML contains a document type, which is not accepted'
  if (text.startsWith('<!--', position)) return 'The XML contains a comment, which is not accepted'
  return 'The XML contains a section or an instruction that is not accepted'
}

const predefined: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeText(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&([^;&\s]{0,8};)?/g, (_, reference: string | undefined) => {
    const name = reference?.slice(0, -1) ?? ''
    const character = predefined[name] ?? decodeCharacter(name)
    if (character === undefined) throw new SamlError('The XML contains an entity that is not accepted')
    return character
  })
}

function decodeCharacter(name: string): string | undefined {
  const digits = /^#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))$/i.exec(name)
  if (!digits) return undefined
  const code = digits[1] === undefined ? Number(digits[2]) : Number.parseInt(digits[1], 16)
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined
  const character = String.fromCodePoint(code)
  return forbiddenCharacter.test(character) ? undefined : character
}

/** Returns the children with a name. */
export function childrenOf(element: XmlElement, namespace: string, name: string): XmlElement[] {
  return element.children.filter((child) => child.namespace === namespace && child.name === name)
}

/** Returns the only child with a name; undefined if there is none. */
export function findChild(element: XmlElement, namespace: string, name: string): XmlElement | undefined {
  const [child, other] = childrenOf(element, namespace, name)
  if (other) throw new SamlError(`The element ${element.name} has more than one ${name}`)
  return child
}

/** Returns the only child with a name. */
export function getChild(element: XmlElement, namespace: string, name: string): XmlElement {
  const child = findChild(element, namespace, name)
  if (!child) throw new SamlError(`The element ${element.name} has no ${name}`)
  return child
}

/** Returns the text of an element without children, without surrounding white space. */
export function textOf(element: XmlElement): string {
  if (element.children.length > 0) throw new SamlError(`The element ${element.name} must contain only text`)
  return element.text.trim()
}

/** Lists an element and everything inside it, with the parent of each. */
export function* walkXml(element: XmlElement, parent?: XmlElement): Generator<[XmlElement, XmlElement | undefined]> {
  yield [element, parent]
  for (const child of element.children) yield* walkXml(child, element)
}

/** Escapes a text for an attribute or the content of an element. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"'\r\n\t]/g, (character) => `&#${character.charCodeAt(0)};`)
}
