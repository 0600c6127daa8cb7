import { type YAMLMap, type YAMLSeq, isMap, isNode, isSeq, stringify } from 'yaml'
import { colorNames } from '../document/nodes.ts'
import { canonicalJson } from '../document/canonical.ts'
import type { TagDefinition } from '../revision/objects.ts'
import type { RepositoryProblem } from './source.ts'
import { type TextEdit, editsOfMap, lineEnd, lineStart, newlineOf, withEdits } from './yaml-edits.ts'
import { printOverYaml } from './yaml-print.ts'
import { YamlFile, printScalar, scalarText, truncateForMessage } from './yaml-text.ts'

export type Tags = Readonly<Record<string, TagDefinition>>

const maxTags = 1000
const maxNameLength = 100
const maxIconLength = 50

const fields = ['label', 'icon', 'emoji', 'color'] as const
type Field = (typeof fields)[number]

/** Parses the tags of a space, by slug. Invalid tags are reported as problems and omitted. */
export function readTags(source: string, file: string): { tags: Tags; problems: RepositoryProblem[] } {
  const yaml = new YamlFile(source, file)
  const tags = new Map<string, TagDefinition>()
  if (isSeq(yaml.root)) {
    for (const item of yaml.root.items) {
      const keys = isMap(item) ? yaml.entries(item) : undefined
      const slug = yaml.text(keys ? keys.get('tag')?.value : item, 'A tag')
      if (!slug || slug.length > maxNameLength)
        yaml.problem(item, `The name of a tag must have 1 to ${maxNameLength} characters`)
      else if (tags.has(slug)) yaml.problem(item, `Duplicate tag ${slug}; only the first one is used`)
      else if (tags.size >= maxTags) yaml.problem(item, `There are more than ${maxTags} tags`)
      else tags.set(slug, readTag(yaml, slug, keys))
    }
  } else if (yaml.root) yaml.problem(yaml.root, 'The tags must be a list')
  return { tags: Object.fromEntries(tags), problems: yaml.problems }
}

function readTag(yaml: YamlFile, slug: string, keys: ReturnType<YamlFile['entries']> | undefined): TagDefinition {
  const read = (field: Field, most: number) => {
    const node = keys?.get(field)?.value
    const text = yaml.text(node, `\`${field}\` of ${slug}`)
    if (text === undefined || (text.length > 0 && text.length <= most)) return text
    return yaml.problem(node, `\`${field}\` of ${slug} must have 1 to ${most} characters`)
  }
  const [label, icon, emoji] = [read('label', maxNameLength), read('icon', maxIconLength), read('emoji', maxIconLength)]
  const color = read('color', maxIconLength)
  const isColor = colorNames.some((name) => name === color)
  if (color !== undefined && !isColor)
    yaml.problem(keys?.get('color')?.value, `${truncateForMessage(color)} is not a valid color`)
  if (icon !== undefined && emoji !== undefined)
    yaml.problem(keys?.get('emoji')?.value, `${slug} has both an icon and an emoji; the emoji is ignored`)
  return {
    label: label ?? slug,
    ...(color !== undefined && isColor && { color }),
    ...(icon === undefined && emoji !== undefined && { emoji }),
    ...(icon !== undefined && { icon }),
  }
}

/** Prints tags over the file that they were read from: only changed, added and removed tags differ. */
export function printTagsOver(source: string | undefined, tags: Tags): string {
  const fresh = Object.entries(tags)
    .map(([slug, tag]) => printTag(slug, tag, ''))
    .join('')
  if (source === undefined) return fresh
  const present = readTags(source, '').tags
  const wanted = readTags(fresh, '').tags
  if (canonicalJson(present) === canonicalJson(wanted)) return source
  const changes = changesBetween(present, tags)
  return printOverYaml(source, {
    fresh,
    isRight: (text) => canonicalJson(readTags(text, '').tags) === canonicalJson(wanted),
    edited() {
      const { root } = new YamlFile(source, '')
      const edits = isSeq(root) ? editsOfList(source, root, changes) : undefined
      return edits && withEdits(source, edits)
    },
    edit(document) {
      const list = document.contents
      if (!isSeq(list)) return
      list.items = list.items.flatMap((item) => {
        const change = changes.get(slugOf(item) ?? '')
        if (change?.kind === 'removed') return []
        if (change?.kind !== 'changed') return [item]
        if (!isMap(item)) return [document.createNode(plain(slugOf(item) ?? '', change.tag))]
        setFields(item, change.fields)
        return [item]
      })
      for (const [slug, change] of changes)
        if (change.kind === 'added') list.items.push(document.createNode(plain(slug, change.tag)))
    },
  })
}

type Fields = ReadonlyMap<Field, string | undefined>
type Change =
  | { kind: 'removed' }
  | { kind: 'added'; tag: TagDefinition }
  | { kind: 'changed'; tag: TagDefinition; fields: Fields }

function changesBetween(before: Tags, after: Tags): Map<string, Change> {
  const changes = new Map<string, Change>()
  for (const slug of Object.keys(before)) if (!Object.hasOwn(after, slug)) changes.set(slug, { kind: 'removed' })
  for (const [slug, tag] of Object.entries(after)) {
    const old = Object.hasOwn(before, slug) ? before[slug] : undefined
    const differing = fields.filter((field) => old?.[field] !== tag[field])
    if (!old) changes.set(slug, { kind: 'added', tag })
    else if (differing.length > 0)
      changes.set(slug, { kind: 'changed', tag, fields: new Map(differing.map((field) => [field, tag[field]])) })
  }
  return changes
}

const slugOf = (item: unknown) => scalarText(isMap(item) ? item.get('tag', true) : item)

const plain = (slug: string, tag: TagDefinition) => ({
  tag: slug,
  ...Object.fromEntries(fields.flatMap((field) => (tag[field] === undefined ? [] : [[field, tag[field]]]))),
})

function printTag(slug: string, tag: TagDefinition, indent: string): string {
  return Object.entries(plain(slug, tag))
    .map(([name, value], nth) => `${indent}${nth === 0 ? '- ' : '  '}${name}: ${printScalar(value)}\n`)
    .join('')
}

function setFields(item: YAMLMap, changed: Fields): void {
  for (const [field, value] of changed) {
    if (value !== undefined) item.set(field, value)
    else while (item.delete(field));
  }
}

/** Returns the edits of a list; undefined if its items are not on separate lines. */
function editsOfList(source: string, list: YAMLSeq, changes: ReadonlyMap<string, Change>): TextEdit[] | undefined {
  if (list.flow || list.items.length === 0) return undefined
  const newline = newlineOf(source)
  const edits: TextEdit[] = []
  const changed = new Set<string>()
  let [indent, last] = ['', 0]
  for (const item of list.items) {
    const place = placeOf(source, item)
    if (!place) return undefined
    ;[indent, last] = [place.indent, place.to]
    const slug = slugOf(item) ?? ''
    const change = changes.get(slug)
    if (change?.kind === 'removed') edits.push({ start: place.from, end: place.to, text: '' })
    if (change?.kind !== 'changed' || changed.has(slug)) continue
    changed.add(slug)
    const inMap = isMap(item) ? editsOfMap(source, item, change.fields) : undefined
    edits.push(...(inMap ?? [replaceItem(source, item, place, change, slug)]))
  }
  const added = Array.from(changes, ([slug, change]) =>
    change.kind === 'added' ? printTag(slug, change.tag, indent) : '',
  )
  const text = added.join('').replaceAll('\n', newline)
  const isEnded = source[last - 1] === '\n'
  if (text !== '')
    edits.push({ start: last, end: last, text: isEnded ? text : newline + text.slice(0, -newline.length) })
  return edits
}

interface ItemPlace {
  /** Range of the lines of the item. */
  from: number
  to: number
  indent: string
  /** Range of the item itself, after its dash. */
  start: number
  end: number
}

function placeOf(source: string, item: unknown): ItemPlace | undefined {
  const range = isNode(item) ? item.range : undefined
  if (!range) return undefined
  const [start, valueEnd] = range
  const from = lineStart(source, start)
  const dash = /^\ufeff?([ \t]*)-[ \t]+$/.exec(source.slice(from, start))
  if (!dash) return undefined
  const end = start + source.slice(start, valueEnd).trimEnd().length
  return { from, to: lineEnd(source, end), indent: dash[1] as string, start, end }
}

function replaceItem(
  source: string,
  item: unknown,
  { start, end, from }: ItemPlace,
  { tag, fields: changed }: Extract<Change, { kind: 'changed' }>,
  slug: string,
): TextEdit {
  const copy = isMap(item) ? item.clone() : undefined
  if (isMap(copy)) setFields(copy, changed)
  const lines = stringify(copy ?? plain(slug, tag), { lineWidth: 0 })
    .trimEnd()
    .split('\n')
  return { start, end, text: lines.join(newlineOf(source) + ' '.repeat(start - from)) }
}
