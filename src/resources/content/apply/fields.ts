import type { PageMetadata } from '../../../content/markdown/front-matter.ts'
import type { PageBody } from '../../../content/revision/draft.ts'
import { TreeError } from '../../../content/revision/tree-error.ts'
import type { PageFields } from '../../../content/revision/objects.ts'
import { checkCondition } from '../../../domain/documents/document-body.ts'
import type { ChangeOf } from './batch.ts'

type ChangeFields = Partial<
  Pick<
    ChangeOf<'update_page'>,
    | 'linkTitle'
    | 'emoji'
    | 'icon'
    | 'description'
    | 'hidden'
    | 'noIndex'
    | 'noRobotsIndex'
    | 'condition'
    | 'layout'
    | 'cover'
    | 'tags'
    | 'variables'
    | 'metaLinks'
    | 'computed'
  >
>

const variableName = /^[\p{L}_][\p{L}\p{N}_]*$/u

/** Fails if a variable has an invalid name. */
export function checkVariableNames(variables: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(variables)) {
    if (variableName.test(name)) continue
    throw new TreeError(`variables.${name}`, 'A name must begin with a letter and contain only letters, digits and _')
  }
}

/**
 * Returns the fields that a change sets; null removes a field. Fields of the change take precedence over the front
 * matter of its text. `field` is the path of the change in the request.
 */
export function toPageFields(
  metadata: PageMetadata,
  change: ChangeFields,
  field: string,
  current?: PageBody,
): Partial<PageFields> {
  const { title: _, ...fromMetadata } = metadata
  if (fromMetadata.condition !== undefined) checkCondition(fromMetadata.condition, `${field}.document.markdown`)
  if (change.condition !== undefined) checkCondition(change.condition, `${field}.condition`)
  checkVariableNames(change.variables ?? {})
  const fromChange = {
    linkTitle: change.linkTitle,
    emoji: change.emoji,
    icon: change.icon,
    description: change.description,
    hidden: change.hidden,
    noIndex: change.noIndex,
    noRobotsIndex: change.noRobotsIndex,
    condition: change.condition,
    layout: change.layout && { ...current?.layout, ...change.layout },
    cover: change.cover,
    tags:
      change.tags &&
      change.tags.map(({ tag, primary }) => ({ tag: tag.tag, ...(primary !== undefined && { primary }) })),
    variables: change.variables,
    metaLinks: change.metaLinks,
    computed: change.computed,
  }
  // A page has either an emoji or an icon.
  const icons = change.emoji ? { icon: null } : change.icon ? { emoji: null } : {}
  return { ...fromMetadata, ...withoutUndefined(fromChange), ...icons } as Partial<PageFields>
}

function withoutUndefined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Partial<T>
}

/** Removes empty fields, which are not stored. */
export function withoutEmptyFields(
  body: Partial<PageBody> & Pick<PageBody, 'title' | 'createdAt' | 'updatedAt'>,
): PageBody {
  const { title, createdAt, updatedAt, ...others } = body
  const nonEmpty = Object.entries(others).filter(([, value]) => isNonEmpty(value))
  return { ...(Object.fromEntries(nonEmpty) as Partial<PageBody>), title, createdAt, updatedAt }
}

function isNonEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  return value !== undefined && value !== null && value !== '' && value !== false
}
