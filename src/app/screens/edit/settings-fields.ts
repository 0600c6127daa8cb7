import type { PageLayout, RevisionPageDocument } from '../../../contract/revision.ts'
import { toEmoji } from '../organization/space-rows.ts'

/** Parts of a page that can be shown or hidden. */
export const layoutParts = [
  'title',
  'description',
  'tableOfContents',
  'outline',
  'pagination',
  'metadata',
  'tags',
] as const satisfies readonly (keyof PageLayout)[]

/** Fields of the settings of a page as they are edited. */
export interface SettingsFields {
  title: string
  linkTitle: string
  slug: string
  description: string
  icon: string
  /** Character of the emoji. */
  emoji: string
  /** Slugs of the tags, separated by commas. */
  tags: string
  hidden: boolean
  noIndex: boolean
  noRobotsIndex: boolean
  layout: PageLayout
}

export const toSettingsFields = (page: RevisionPageDocument): SettingsFields => ({
  title: page.title,
  linkTitle: page.linkTitle ?? '',
  slug: page.slug,
  description: page.description ?? '',
  icon: page.icon ?? '',
  emoji: toEmoji(page.emoji),
  tags: page.tags.map(({ tag }) => tag.tag).join(', '),
  hidden: page.hidden ?? false,
  noIndex: page.noIndex ?? false,
  noRobotsIndex: page.noRobotsIndex ?? false,
  layout: page.layout,
})

/** Returns the fields of `update_page` that differ from the page. */
export function toPageUpdate(fields: SettingsFields, page: RevisionPageDocument) {
  const before = toSettingsFields(page)
  const layout = Object.fromEntries(
    (['width', ...layoutParts] as const)
      .filter((part) => fields.layout[part] !== before.layout[part])
      .map((part) => [part, fields.layout[part]]),
  ) as Partial<PageLayout>
  const slugs = fields.tags.split(',').flatMap((slug) => slug.trim() || [])
  const plain = ['title', 'slug', 'description', 'icon', 'hidden', 'noIndex', 'noRobotsIndex'] as const
  return {
    ...(Object.fromEntries(
      plain.filter((name) => fields[name] !== before[name]).map((name) => [name, fields[name]]),
    ) as Partial<Pick<SettingsFields, (typeof plain)[number]>>),
    ...(fields.linkTitle !== before.linkTitle && { linkTitle: fields.linkTitle.trim() || null }),
    ...(fields.emoji !== before.emoji && { emoji: toEmojiCode(fields.emoji) }),
    ...(fields.tags !== before.tags && {
      tags: slugs.map((tag) => ({
        tag: { kind: 'tag' as const, tag },
        ...(page.tags.some((one) => one.tag.tag === tag && one.primary === true) && { primary: true }),
      })),
    }),
    ...(Object.keys(layout).length > 0 && { layout }),
  }
}

/** Returns the code of an emoji such as `1f600`; empty if there is none. */
const toEmojiCode = (emoji: string): string =>
  Array.from(emoji.trim(), (character) => (character.codePointAt(0) ?? 0).toString(16)).join('-')
