import { type OpenApiSpec, getList, getText, isSpecObject } from './spec.ts'

/** A tag of the operations of a document. */
export interface ApiTag {
  name: string
  /** Title for readers: `x-displayName`, `summary`, or the name. */
  title: string
  description: string | undefined
  /** Short text for lists of pages. */
  summary: string | undefined
  /** Name of the tag above it. */
  parent: string | undefined
  icon: string | undefined
}

/** A group of tags. */
export interface TagGroup {
  title: string
  tags: readonly ApiTag[]
}

const maxTags = 2000

/** Returns the declared tags of a document, except internal ones. */
export function listTags(spec: OpenApiSpec): ApiTag[] {
  return getList(spec.root, 'tags')
    .slice(0, maxTags)
    .filter(isSpecObject)
    .flatMap((fields) => {
      const name = getText(fields, 'name')
      if (name === undefined || fields['x-internal'] === true) return []
      const title = getText(fields, 'x-page-title') ?? getText(fields, 'x-displayName') ?? getText(fields, 'summary')
      return [
        {
          name,
          title: title ?? name,
          description: getText(fields, 'description'),
          summary: getText(fields, 'x-page-description'),
          parent: getText(fields, 'parent') ?? getText(fields, 'x-parent'),
          icon: getText(fields, 'x-page-icon'),
        },
      ]
    })
}

/** Returns the groups of `x-tagGroups`; tags without a group are omitted. */
export function listTagGroups(spec: OpenApiSpec): TagGroup[] {
  const tags = new Map(listTags(spec).map((tag) => [tag.name, tag]))
  return getList(spec.root, 'x-tagGroups')
    .slice(0, maxTags)
    .filter(isSpecObject)
    .flatMap((fields) => {
      const title = getText(fields, 'name')
      if (title === undefined) return []
      const names = getList(fields, 'tags')
        .slice(0, maxTags)
        .filter((name): name is string => typeof name === 'string')
      return [{ title, tags: names.map((name) => tags.get(name) ?? createTag(name)) }]
    })
}

/** Returns a tag that operations use without a declaration. */
const createTag = (name: string): ApiTag => ({
  name,
  title: name,
  description: undefined,
  summary: undefined,
  parent: undefined,
  icon: undefined,
})
