import { InlineBuilder, addMark, mark } from '../document/build.ts'
import { type ButtonInline, type ColorName, type InlineElement, type Mark, colorNames } from '../document/nodes.ts'
import { parseStyleColors } from '../document/colors.ts'
import { createAnchorInline } from '../document/raw-html.ts'
import { type ElementContent, joinCrossingTags } from './crossing-tags.ts'
import { isMarkElement, readElementMark } from './element-marks.ts'
import { type HtmlTag, decodeEntities, parseHtml } from './html.ts'
import type { InlineContext } from './inline-context.ts'
import { readHeadingId, readLength } from './make-blocks.ts'
import { type References, resolveFileRef } from './references.ts'

// HTML elements that are supported in text: marks, links, images, buttons, icons and anchors.

/** Adds an HTML element to the document; returns false if it is not supported here and remains text. */
export function addInlineElement(
  { name, attributes }: Pick<HtmlTag, 'name' | 'attributes'>,
  inner: ElementContent,
  marks: readonly Mark[],
  out: InlineBuilder,
  context: InlineContext,
): boolean {
  const target = inner.source === '' && isOnlyTarget(name, attributes) ? anchorIdOf(attributes) : undefined
  if (target !== undefined) {
    out.addElement(createAnchorInline(target))
    return true
  }
  const own = readElementMark({ name, attributes }, marks)
  if (own) {
    inner.read(addMark(marks, own), out)
    return true
  }
  switch (name) {
    case 'br':
      out.addText('\n', marks)
      return true
    case 'a': {
      const id = anchorIdOf(attributes)
      if (id === undefined) break
      out.addElement(createAnchorInline(id))
      const link = readInlineElement(name, attributes, inner, marks, context)
      if (link && !(link.type === 'link' && link.nodes.length === 0)) out.addElement(link)
      else if (!link) inner.read(marks, out)
      return true
    }
    case 'code': {
      const text = decodeEntities(inner.source)
      if (attributes['class'] === 'expression') {
        out.addElement({ data: { expression: text }, isVoid: true, object: 'inline', type: 'expression' })
      } else out.addText(text, addMark(marks, mark('code')))
      return true
    }
  }
  const element = readInlineElement(name, attributes, inner, marks, context)
  if (element) out.addElement(element)
  return element !== undefined
}

/** Whether an element without content has no attribute but its id, so that it is only the target of links. */
const isOnlyTarget = (name: string, attributes: Readonly<Record<string, string>>): boolean =>
  (name === 'span' || name === 'i' || isMarkElement(name)) && Object.keys(attributes).length === 1

/** Returns the id of a link target. */
function anchorIdOf({ id, name, ...others }: Readonly<Record<string, string>>): string | undefined {
  return others['data-footnote-ref'] === undefined ? readHeadingId(id ?? name).id : undefined
}

function readInlineElement(
  name: string,
  attributes: Readonly<Record<string, string>>,
  inner: ElementContent,
  marks: readonly Mark[],
  context: InlineContext,
): InlineElement | undefined {
  const { references } = context
  const children = () => {
    const builder = new InlineBuilder()
    inner.read(marks, builder)
    return joinCrossingTags(builder.build(), true, (tag, content, into) =>
      addInlineElement(tag, content, [], into, context),
    )
  }
  switch (name) {
    case 'i': {
      const icon = /(?:^|\s)fa-([\w-]+)/.exec(attributes['class'] ?? '')?.[1]
      if (icon === undefined) return undefined
      const color = iconColor(attributes['style'] ?? '')
      return { data: { icon, ...(color && { color }) }, isVoid: true, object: 'inline', type: 'icon' }
    }
    case 'span': {
      const code = attributes['data-tag'] === 'emoji' ? attributes['data-code'] : undefined
      return code === undefined ? undefined : { data: { code }, isVoid: true, object: 'inline', type: 'emoji' }
    }
    case 'img':
    case 'picture':
      return readImage(name, attributes, inner.source, references)
    case 'button':
      return readButton(attributes, inner.source, references)
    case 'a': {
      if (/(?:^|\s)button(?:\s|$)/.test(attributes['class'] ?? ''))
        return readButton(attributes, inner.source, references)
      const footnote =
        attributes['data-footnote-ref'] === undefined
          ? undefined
          : /#user-content-fn-(.+)$/.exec(attributes['href'] ?? '')?.[1]
      const body = footnote === undefined ? undefined : context.findFootnote(footnote)
      if (body) return { fragments: [body], nodes: children(), object: 'inline', type: 'annotation' }
      const href = attributes['href']
      if (href === undefined || href === '') return undefined
      if (attributes['data-mention'] !== undefined)
        return { data: { ref: references.resolve(href) }, isVoid: true, object: 'inline', type: 'mention' }
      return { data: { ref: references.resolve(href) }, nodes: children(), object: 'inline', type: 'link' }
    }
    default:
      return undefined
  }
}

function readImage(
  name: string,
  attributes: Readonly<Record<string, string>>,
  innerSource: string,
  references: References,
): InlineElement | undefined {
  // Nested pictures would be parsed once more for each level.
  if (/<picture[\s>]/i.test(innerSource)) return undefined
  const elements = name === 'picture' ? parseHtml(innerSource).filter((node) => node.type === 'element') : []
  const image = name === 'picture' ? elements.find((node) => node.name === 'img')?.attributes : attributes
  const src = image?.['src']
  if (!image || src === undefined) return undefined
  const dark = elements.find((node) => node.name === 'source')?.attributes['srcset']
  const { alt, title, 'data-size': size } = image
  const width = readLength(image['width'])
  const height = readLength(image['height'])
  return {
    object: 'inline',
    type: 'inline-image',
    isVoid: true,
    data: {
      ref: resolveFileRef(references, src),
      ...(dark !== undefined && { refDark: resolveFileRef(references, dark) }),
      ...(alt && { alt }),
      ...(title && { caption: title }),
      ...((size === 'line' || size === 'original') && { size }),
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
    },
  }
}

function readButton(
  attributes: Readonly<Record<string, string>>,
  innerSource: string,
  references: References,
): ButtonInline {
  const { href, 'data-icon': icon, 'data-action': action, 'data-query': query, 'data-slug': slug } = attributes
  return {
    object: 'inline',
    type: 'button',
    isVoid: true,
    data: {
      label: decodeEntities(innerSource),
      kind: /\bsecondary\b/.test(attributes['class'] ?? '') ? 'secondary' : 'primary',
      ...(icon && { icon }),
      ...(href && { ref: references.resolve(href) }),
      ...((action === 'ask' || action === 'search') && { action: { action, ...(query && { query }) } }),
      ...(action === 'select' && slug && { action: { action, slug } }),
    },
  }
}

const knownColors: ReadonlySet<string> = new Set(colorNames)

/** Returns the color of an icon if it is one of the named colors of documents. */
function iconColor(style: string): ColorName | undefined {
  const { text } = parseStyleColors(style).colors
  return text !== undefined && style.includes(text) && knownColors.has(text) ? text : undefined
}
