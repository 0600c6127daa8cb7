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
  /** Whether a collection must be chosen. */
  isRequired?: boolean
}

/** Chooses a collection in which the user may create spaces; nothing is shown if there is none. */
export function CollectionField(props: CollectionFieldProps) {
  const { organizationId, value, onChange, excluded, label, isRequired = false } = props
  const { items } = useWholeList('GET /orgs/{organizationId}/collections', { params: { organizationId } })
  const possible = (items ?? []).filter(({ id, permissions }) => permissions.create && !excluded?.has(id))
  if (possible.length === 0) return null
  return (
    <SelectField
      label={label ?? texts.collection}
      value={value}
      options={[
        ...(isRequired ? [] : [{ value: '', title: texts.noCollection }]),
        ...possible.map(({ id, title }) => ({ value: id, title })),
      ]}
      onChange={onChange}
    />
  )
}
