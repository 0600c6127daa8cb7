import { type YAMLMap, type YAMLSeq, isMap, isNode, isSeq, stringify } from 'yaml'
import { colorNames } from '../document/nodes.ts'
import { canonicalJson } from '../document/canonical-json.ts'
import type { TagDefinition } from '../revision/objects.ts'
import type { RepositoryProblem } from './source.ts'
import { type TextEdit, createMapEdits, lineEnd, lineStart, detectLineBreak, applyEdits } from './yaml-edits.ts'
import { spliceYaml } from './yaml-print.ts'
import { YamlFile, printScalar, scalarText, truncateForMessage } from './yaml-text.ts'

export type TagDefinitions = Readonly<Record<string, TagDefinition>>

const maxTags = 1000
const maxNameLength = 100
const maxIconLength = 50

const tagFields = ['label', 'icon', 'emoji', 'color'] as const
type TagField = (typeof tagFields)[number]

/** Parses the tags of a space, by slug. Invalid tags are reported as problems and omitted. */
export function parseTags(source: string, file: string): { tags: TagDefinitions; problems: RepositoryProblem[] } {
  const yaml = new YamlFile(source, file)
  const tags = new Map<string, TagDefinition>()
  if (isSeq(yaml.root)) {
    for (const item of yaml.root.items) {
      const keys = isMap(item) ? yaml.readEntries(item) : undefined
      const slug = yaml.readText(keys ? keys.get('tag')?.value : item, 'A tag')
      if (!slug || slug.length > maxNameLength)
        yaml.addProblem(item, `The name of a tag must have 1 to ${maxNameLength} characters`)
      else if (tags.has(slug)) yaml.addProblem(item, `Duplicate tag ${slug}; only the first one is used`)
      else if (tags.size >= maxTags) yaml.addProblem(item, `There are more than ${maxTags} tags`)
      else tags.set(slug, parseTagDefinition(yaml, slug, keys))
    }
  } else if (yaml.root) yaml.addProblem(yaml.root, 'The tags must be a list')
  return { tags: Object.fromEntries(tags), problems: yaml.problems }
}

function parseTagDefinition(
  yaml: YamlFile,
  slug: string,
  keys: ReturnType<YamlFile['readEntries']> | undefined,
): TagDefinition {
  const read = (field: TagField, maxLength: number) => {
    const node = keys?.get(field)?.value
    const text = yaml.readText(node, `\`${field}\` of ${slug}`)
    if (text === undefined || (text.length > 0 && text.length <= maxLength)) return text
    return yaml.addProblem(node, `\`${field}\` of ${slug} must have 1 to ${maxLength} characters`)
  }
  const [label, icon, emoji] = [read('label', maxNameLength), read('icon', maxIconLength), read('emoji', maxIconLength)]
  const color = read('color', maxIconLength)
  const isColor = colorNames.some((name) => name === color)
  if (color !== undefined && !isColor)
    yaml.addProblem(keys?.get('color')?.value, `${truncateForMessage(color)} is not a valid color`)
  if (icon !== undefined && emoji !== undefined)
    yaml.addProblem(keys?.get('emoji')?.value, `${slug} has both an icon and an emoji; the emoji is ignored`)
  return {
    label: label ?? slug,
    ...(color !== undefined && isColor && { color }),
    ...(icon === undefined && emoji !== undefined && { emoji }),
    ...(icon !== undefined && { icon }),
  }
}

/** Prints tags over the file that they were read from: only changed, added and removed tags differ. */
export function spliceTags(source: string | undefined, tags: TagDefinitions): string {
  const fullText = Object.entries(tags)
    .map(([slug, tag]) => printTag(slug, tag, ''))
    .join('')
  if (source === undefined) return fullText
  const current = parseTags(source, '').tags
  const expected = parseTags(fullText, '').tags
  if (canonicalJson(current) === canonicalJson(expected)) return source
  const changes = diffTags(current, tags)
  return spliceYaml(source, {
    fullText,
    isCorrect: (text) => canonicalJson(parseTags(text, '').tags) === canonicalJson(expected),
    editLines() {
      const { root } = new YamlFile(source, '')
      const edits = isSeq(root) ? createListEdits(source, root, changes) : undefined
      return edits && applyEdits(source, edits)
    },
    editDocument(document) {
      const list = document.contents
      if (!isSeq(list)) return
      list.items = list.items.flatMap((item) => {
        const change = changes.get(tagSlugOf(item) ?? '')
        if (change?.kind === 'removed') return []
        if (change?.kind !== 'changed') return [item]
        if (!isMap(item)) return [document.createNode(toPlainTag(tagSlugOf(item) ?? '', change.tag))]
        setFields(item, change.fields)
        return [item]
      })
      for (const [slug, change] of changes)
        if (change.kind === 'added') list.items.push(document.createNode(toPlainTag(slug, change.tag)))
    },
  })
}

type ChangedTagFields = ReadonlyMap<TagField, string | undefined>
type TagChange =
  | { kind: 'removed' }
  | { kind: 'added'; tag: TagDefinition }
  | { kind: 'changed'; tag: TagDefinition; fields: ChangedTagFields }

function diffTags(before: TagDefinitions, after: TagDefinitions): Map<string, TagChange> {
  const changes = new Map<string, TagChange>()
  for (const slug of Object.keys(before)) if (!Object.hasOwn(after, slug)) changes.set(slug, { kind: 'removed' })
  for (const [slug, tag] of Object.entries(after)) {
    const old = Object.hasOwn(before, slug) ? before[slug] : undefined
    const differing = tagFields.filter((field) => old?.[field] !== tag[field])
    if (!old) changes.set(slug, { kind: 'added', tag })
    else if (differing.length > 0)
      changes.set(slug, { kind: 'changed', tag, fields: new Map(differing.map((field) => [field, tag[field]])) })
  }
  return changes
}

const tagSlugOf = (item: unknown) => scalarText(isMap(item) ? item.get('tag', true) : item)

const toPlainTag = (slug: string, tag: TagDefinition) => ({
  tag: slug,
  ...Object.fromEntries(tagFields.flatMap((field) => (tag[field] === undefined ? [] : [[field, tag[field]]]))),
})

function printTag(slug: string, tag: TagDefinition, indent: string): string {
  return Object.entries(toPlainTag(slug, tag))
    .map(([name, value], nth) => `${indent}${nth === 0 ? '- ' : '  '}${name}: ${printScalar(value)}\n`)
    .join('')
}

function setFields(item: YAMLMap, changed: ChangedTagFields): void {
  for (const [field, value] of changed) {
    if (value !== undefined) item.set(field, value)
    else while (item.delete(field));
  }
}

/** Returns the edits of a list; undefined if its items are not on separate lines. */
function createListEdits(
  source: string,
  list: YAMLSeq,
  changes: ReadonlyMap<string, TagChange>,
): TextEdit[] | undefined {
  if (list.flow || list.items.length === 0) return undefined
  const newline = detectLineBreak(source)
  const edits: TextEdit[] = []
  const changed = new Set<string>()
  let [indent, listEnd] = ['', 0]
  for (const item of list.items) {
    const itemRange = locateItem(source, item)
    if (!itemRange) return undefined
    ;[indent, listEnd] = [itemRange.indent, itemRange.linesEnd]
    const slug = tagSlugOf(item) ?? ''
    const change = changes.get(slug)
    if (change?.kind === 'removed') edits.push({ start: itemRange.linesStart, end: itemRange.linesEnd, text: '' })
    if (change?.kind !== 'changed' || changed.has(slug)) continue
    changed.add(slug)
    const mapEdits = isMap(item) ? createMapEdits(source, item, change.fields) : undefined
    edits.push(...(mapEdits ?? [replaceItem(source, item, itemRange, change, slug)]))
  }
  const added = Array.from(changes, ([slug, change]) =>
    change.kind === 'added' ? printTag(slug, change.tag, indent) : '',
  )
  const text = added.join('').replaceAll('\n', newline)
  const endsWithNewline = source[listEnd - 1] === '\n'
  if (text !== '')
    edits.push({
      start: listEnd,
      end: listEnd,
      text: endsWithNewline ? text : newline + text.slice(0, -newline.length),
    })
  return edits
}

interface ItemRange {
  /** Range of the lines of the item. */
  linesStart: number
  linesEnd: number
  indent: string
  /** Range of the item itself, after its dash. */
  start: number
  end: number
}

function locateItem(source: string, item: unknown): ItemRange | undefined {
  const range = isNode(item) ? item.range : undefined
  if (!range) return undefined
  const [start, valueEnd] = range
  const linesStart = lineStart(source, start)
  const dash = /^\ufeff?([ \t]*)-[ \t]+$/.exec(source.slice(linesStart, start))
  if (!dash) return undefined
  const end = start + source.slice(start, valueEnd).trimEnd().length
  return { linesStart, linesEnd: lineEnd(source, end), indent: dash[1] as string, start, end }
}

function replaceItem(
  source: string,
  item: unknown,
  { start, end, linesStart }: ItemRange,
  { tag, fields: changed }: Extract<TagChange, { kind: 'changed' }>,
  slug: string,
): TextEdit {
  const copy = isMap(item) ? item.clone() : undefined
  if (isMap(copy)) setFields(copy, changed)
  const lines = stringify(copy ?? toPlainTag(slug, tag), { lineWidth: 0 })
    .trimEnd()
    .split('\n')
  return { start, end, text: lines.join(detectLineBreak(source) + ' '.repeat(start - linesStart)) }
}
