import { useState } from 'preact/hooks'
import { useList } from '../../../data/list.ts'
import { SelectField, TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { type Addition, type SiteTarget, addItem, canPublishSpace } from './structure-actions.ts'
import { structureTexts as texts } from './structure-texts.ts'

interface AddDialogProps {
  target: SiteTarget
  kind: Addition['kind']
  /** Section of a new variant. */
  sectionId?: string | undefined
  /** IDs of the spaces that the site has. */
  usedSpaces: ReadonlySet<string>
  onClose: () => void
  onAdded: (id: string) => void
}

/** Value of the choice that creates a space. */
const newSpace = 'new'

/** Adds a section, variant, group or link to a site. */
export function AddDialog({ target, kind, sectionId, usedSpaces, onClose, onAdded }: AddDialogProps) {
  const [title, setTitle] = useState('')
  const [url, setUrl] = useState('')
  const [spaceId, setSpaceId] = useState(newSpace)
  const { items } = useList('GET /orgs/{organizationId}/spaces', {
    params: { organizationId: target.organizationId },
    query: { limit: 1000 },
  })
  const spaces = (items ?? []).filter((space) => !usedSpaces.has(space.id) && canPublishSpace(space))
  const isSpace = kind === 'section' || kind === 'variant'
  const titles = { section: texts.addSection, variant: texts.addVariant, group: texts.addGroup, link: texts.addLink }
  const [add, isAdding] = useAction(async () => {
    const space = { spaceId: spaceId === newSpace ? null : spaceId, sectionId }
    const addition: Addition =
      kind === 'link' ? { kind, title, url } : kind === 'group' ? { kind, title } : { kind, title, ...space }
    onAdded(await addItem(target, addition))
  })
  return (
    <FormDialog title={titles[kind]} onClose={onClose} onSubmit={() => void add()} action={texts.add} isBusy={isAdding}>
      {isSpace && (
        <SelectField
          label={texts.space}
          value={spaceId}
          options={[
            ...spaces.map(({ id, title: name }) => ({ value: id, title: name })),
            { value: newSpace, title: texts.newSpace },
          ]}
          onChange={setSpaceId}
        />
      )}
      <TextField
        label={texts.name}
        required={!isSpace || spaceId === newSpace}
        maxLength={kind === 'group' ? 100 : 128}
        placeholder={spaces.find(({ id }) => id === spaceId)?.title ?? ''}
        value={title}
        onInput={setTitle}
      />
      {kind === 'link' && (
        <TextField label={texts.address} type="url" required placeholder="https://" value={url} onInput={setUrl} />
      )}
    </FormDialog>
  )
}
