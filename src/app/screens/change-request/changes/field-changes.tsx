import { formatNumber } from '../../../texts.ts'
import type { FieldChange } from './entries.ts'
import { texts } from './texts.ts'

const names: Readonly<Record<string, keyof typeof texts>> = {
  title: 'fieldTitle',
  description: 'fieldDescription',
  slug: 'fieldSlug',
  emoji: 'fieldEmoji',
  icon: 'fieldIcon',
  hidden: 'fieldHidden',
  cover: 'fieldCover',
  layout: 'fieldLayout',
  tags: 'fieldTags',
  name: 'fieldName',
  contentType: 'fieldContentType',
  size: 'fieldSize',
  dimensions: 'fieldDimensions',
  label: 'fieldLabel',
  color: 'fieldColor',
}

/** Returns the name of a field of pages, files and tags; other fields have the name that the API uses. */
export function nameOfField(field: string): string {
  const name = Object.hasOwn(names, field) ? names[field] : undefined
  const text = name && texts[name]
  return typeof text === 'string' ? text : field
}

/** Formats the value of a field for people. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null || value === '') return texts.none
  if (typeof value === 'boolean') return value ? texts.yes : texts.no
  if (typeof value === 'number') return formatNumber(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Shows changed fields with their values before and after. */
export function FieldChanges({ fields }: { fields: readonly FieldChange[] }) {
  if (fields.length === 0) return null
  return (
    <table class="cr-fields">
      <caption class="sr-only">{texts.fields}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.field}</th>
          <th scope="col">{texts.before}</th>
          <th scope="col">{texts.after}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">{nameOfField(field)}</th>
            <td>
              <del>{describeValue(before)}</del>
            </td>
            <td>
              <ins>{describeValue(after)}</ins>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
