import type { Conflict } from '../../../../contract/change-request.ts'
import { countText, fillText } from '../../../texts.ts'
import { describeValue, nameOfField } from '../changes/field-changes.tsx'
import { isBlock, textOfNode } from './block-text.ts'
import { texts } from './texts.ts'

export type SideName = 'base' | 'ours' | 'theirs'

/** Returns the title of a page by its ID; undefined if the change request does not contain it. */
export type FindTitle = (pageId: string) => string | undefined

/** A page, file or reusable content as a side of a conflict about its existence. */
interface ItemSide {
  title?: string
  name?: string
  pageCount?: number
}

const itemOf = (value: unknown): ItemSide | undefined =>
  typeof value === 'object' && value !== null && !isBlock(value) ? value : undefined

/** Returns the name of the subject of a conflict: the title of the page, or the name of the file, variable or tag. */
export function describeSubject(conflict: Conflict, findTitle: FindTitle): string {
  const { page, file, reusableContent, variable, tag } = conflict
  const item = conflict.type === 'existence' ? (itemOf(conflict.ours) ?? itemOf(conflict.theirs)) : undefined
  const title = item?.title ?? item?.name
  if (page !== undefined) return title ?? findTitle(page) ?? texts.unknownPage
  if (file !== undefined) return title ?? texts.file
  if (reusableContent !== undefined) return title ?? texts.reusableContent
  if (variable !== undefined) return fillText(texts.variable, { name: variable })
  return fillText(texts.tag, { name: tag ?? '' })
}

/** Describes the changes of both sides. */
export function describeConflict(conflict: Conflict): string {
  const { type, ours, theirs, field, parts, block, after } = conflict
  switch (type) {
    case 'existence':
      return isAbsent(ours) ? texts.mineDeleted : isAbsent(theirs) ? texts.theirsDeleted : texts.bothAdded
    case 'place':
      return block === undefined ? (after ? texts.aboutOrder : texts.aboutPlace) : texts.aboutBlockPlace
    case 'field':
      return field === 'document'
        ? texts.aboutDocument
        : fillText(texts.aboutField, { field: nameOfField(field ?? '') })
    case 'value':
      return texts.aboutValue
    case 'block':
      if (isAbsent(ours)) return texts.mineDeleted
      if (isAbsent(theirs)) return texts.theirsDeleted
      return parts ? texts.aboutTable : texts.aboutBlock
  }
}

export const isAbsent = (value: unknown): boolean => value === null || value === undefined

/** Describes a side of a conflict. */
export function describeSide(conflict: Conflict, side: SideName, findTitle: FindTitle): string {
  const value = conflict[side]
  if (conflict.type === 'place' && conflict.block === undefined) return describePlace(conflict, side, findTitle)
  if (conflict.type === 'existence') {
    const item = itemOf(value)
    if (!item) return texts.deleted
    const below = item.pageCount ? ` (${countText(texts.pagesBelow, item.pageCount)})` : ''
    return `${item.title ?? item.name ?? ''}${below}`
  }
  if (isBlock(value)) return textOfNode(value)
  if (isAbsent(value)) return conflict.type === 'block' ? texts.deleted : texts.noValue
  return describeValue(value)
}

function describePlace({ after, ...conflict }: Conflict, side: SideName, findTitle: FindTitle): string {
  if (after) {
    const previous = after[side]
    return previous === null
      ? texts.first
      : fillText(texts.afterPage, { page: findTitle(previous) ?? texts.unknownPage })
  }
  const parent = conflict[side]
  return typeof parent === 'string'
    ? fillText(texts.below, { page: findTitle(parent) ?? texts.unknownPage })
    : texts.topLevel
}

/** Describes the part of a table with a name such as `cells/ROW/COLUMN`. */
export function describePart(part: string): string {
  const [kind, , field] = part.split('/')
  if (kind === 'rows') return field === 'position' ? texts.partRowPosition : texts.partRow
  if (kind === 'columns') return fillText(texts.partColumn, { field: field === undefined ? '' : nameOfField(field) })
  return kind === 'cells' ? texts.partCell : fillText(texts.partOther, { part })
}

/** Formats the value of a part of a table for people. */
export function describePartValue(value: unknown): string {
  if (isAbsent(value)) return texts.noValue
  if (typeof value === 'object' && value !== null && 'object' in value) {
    return textOfNode(value as Parameters<typeof textOfNode>[0])
  }
  return describeValue(value)
}
