import type { PageCover, PageLayout, RevisionPageDocument, RevisionTag } from '../../../../contract/revision.ts'
import { toEmoji } from '../../organization/space-rows.ts'
import { type VariableType, parseValue, typeOfValue } from '../../variables/variable-values.ts'

/** Parts of a page that can be shown or hidden. */
export const layoutParts = [
  'title',
  'description',
  'tableOfContents',
  'outline',
  'pagination',
  'metadata',
  'tags',
  'actions',
  'anchors',
] as const satisfies readonly (keyof PageLayout)[]

/** All options of the layout, in the order in which they are compared. */
const layoutOptions = ['width', 'cover', 'coverSize', 'coverMask', ...layoutParts] as const

/** A variable of a page as it is edited. */
export interface VariableField {
  name: string
  type: VariableType
  text: string
}

/** A tag that does not exist in the space yet. */
export type NewTag = Pick<RevisionTag, 'slug' | 'label'>

/** Fields of the settings of a page as they are edited. */
export interface SettingsFields {
  title: string
  linkTitle: string
  slug: string
  description: string
  icon: string
  /** Character of the emoji. */
  emoji: string
  /** Slugs of the tags. */
  tags: readonly string[]
  newTags: readonly NewTag[]
  hidden: boolean
  noIndex: boolean
  noRobotsIndex: boolean
  condition: string
  /** URL of the canonical version of the page; empty if there is none, or if it is a page. */
  canonical: string
  cover: PageCover | undefined
  layout: PageLayout
  variables: readonly VariableField[]
}

export const toSettingsFields = (page: RevisionPageDocument): SettingsFields => ({
  title: page.title,
  linkTitle: page.linkTitle ?? '',
  slug: page.slug,
  description: page.description ?? '',
  icon: page.icon ?? '',
  emoji: toEmoji(page.emoji),
  tags: page.tags.map(({ tag }) => tag.tag),
  newTags: [],
  hidden: page.hidden ?? false,
  noIndex: page.noIndex ?? false,
  noRobotsIndex: page.noRobotsIndex ?? false,
  condition: page.condition ?? '',
  canonical: page.metaLinks?.canonical?.kind === 'url' ? page.metaLinks.canonical.url : '',
  cover: page.cover,
  layout: page.layout,
  variables: Object.entries(page.variables ?? {}).map(([name, value]) => ({
    name,
    type: typeOfValue(value),
    text: String(value),
  })),
})

/** Whether two values of fields are equal. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const plainFields = ['title', 'slug', 'description', 'icon', 'condition', 'hidden', 'noIndex', 'noRobotsIndex'] as const

/** Returns the fields of `update_page` that differ from the page. */
export function toPageUpdate(fields: SettingsFields, page: RevisionPageDocument) {
  const before = toSettingsFields(page)
  const isChanged = (name: keyof SettingsFields) => !isSame(fields[name], before[name])
  const layout = Object.fromEntries(
    layoutOptions
      .filter((part) => fields.layout[part] !== before.layout[part])
      .map((part) => [part, fields.layout[part]]),
  ) as Partial<PageLayout>
  return {
    ...(Object.fromEntries(plainFields.filter(isChanged).map((name) => [name, fields[name]])) as Partial<
      Pick<SettingsFields, (typeof plainFields)[number]>
    >),
    ...(isChanged('linkTitle') && { linkTitle: fields.linkTitle.trim() || null }),
    ...(isChanged('emoji') && { emoji: toEmojiCode(fields.emoji) }),
    ...(isChanged('tags') && { tags: toTags(fields.tags, page) }),
    ...(isChanged('cover') && { cover: fields.cover ?? null }),
    ...(isChanged('canonical') && { metaLinks: toMetaLinks(fields.canonical.trim(), page) }),
    ...(isChanged('variables') && { variables: toVariables(fields.variables) }),
    ...(Object.keys(layout).length > 0 && { layout }),
  }
}

/** Returns the tags of a page; the primary one remains primary. */
const toTags = (slugs: readonly string[], page: RevisionPageDocument) =>
  slugs.map((tag) => ({
    tag: { kind: 'tag' as const, tag },
    ...(page.tags.some((one) => one.tag.tag === tag && one.primary === true) && { primary: true }),
  }))

function toMetaLinks(url: string, { metaLinks }: RevisionPageDocument) {
  const alternates = metaLinks?.alternates && { alternates: metaLinks.alternates }
  if (url === '') return alternates ?? null
  return { ...alternates, canonical: { kind: 'url' as const, url } }
}

/** Returns the variables with a name and a value; null if there are none. */
function toVariables(fields: readonly VariableField[]) {
  const entries = fields.flatMap(({ name, type, text }) => {
    const value = parseValue(text, type)
    return name === '' || value === undefined ? [] : [[name, value] as const]
  })
  return entries.length === 0 ? null : Object.fromEntries(entries)
}

/** Returns the code of an emoji such as `1f600`; empty if there is none. */
const toEmojiCode = (emoji: string): string =>
  Array.from(emoji.trim(), (character) => (character.codePointAt(0) ?? 0).toString(16)).join('-')
