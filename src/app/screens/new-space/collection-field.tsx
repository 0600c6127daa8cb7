import { useWholeList } from '../../data/list.ts'
import { SelectField } from '../../ui/fields.tsx'
import { newSpaceTexts as texts } from './new-space-texts.ts'

interface CollectionFieldProps {
  organizationId: string
  /** ID of the collection; empty for none. */
  value: string
  onChange: (id: string) => void
  /** IDs that cannot be chosen. */
  excluded?: ReadonlySet<string>
  label?: string
}

/** Chooses a collection in which the user may create spaces; nothing is shown if there is none. */
export function CollectionField({ organizationId, value, onChange, excluded, label }: CollectionFieldProps) {
  const { items } = useWholeList('GET /orgs/{organizationId}/collections', { params: { organizationId } })
  const possible = (items ?? []).filter(({ id, permissions }) => permissions.create && !excluded?.has(id))
  if (possible.length === 0) return null
  return (
    <SelectField
      label={label ?? texts.collection}
      value={value}
      options={[{ value: '', title: texts.noCollection }, ...possible.map(({ id, title }) => ({ value: id, title }))]}
      onChange={onChange}
    />
  )
}
