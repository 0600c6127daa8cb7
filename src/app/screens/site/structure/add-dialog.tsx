import { useState } from 'preact/hooks'
import { useWholeList } from '../../../data/list.ts'
import { SelectField, TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import type { Addition } from './site-tree.ts'
import { canPublishSpace } from './structure-actions.ts'
import { structureTexts as texts } from './structure-texts.ts'

/** The new item, with the earlier input if the server refused it. */
export interface NewItem {
  kind: Addition['kind']
  /** Section of a new variant. */
  sectionId?: string | undefined
  title?: string
  url?: string
  spaceId?: string | null
}

interface AddDialogProps extends NewItem {
  organizationId: string
  /** IDs of the spaces that the site has. */
  usedSpaces: ReadonlySet<string>
  onClose: () => void
  /** Called with the title that the item will have. */
  onAdd: (addition: Addition, title: string) => void
}

/** Value of the option that creates a space. */
const newSpace = 'new'

/** Adds a section, variant, group or link to a site. */
export function AddDialog({ organizationId, kind, sectionId, usedSpaces, onClose, onAdd, ...typed }: AddDialogProps) {
  const [title, setTitle] = useState(typed.title ?? '')
  const [url, setUrl] = useState(typed.url ?? '')
  const [spaceId, setSpaceId] = useState(typed.spaceId ?? newSpace)
  const { items } = useWholeList('GET /orgs/{organizationId}/spaces', {
    params: { organizationId },
  })
  const spaces = (items ?? []).filter((space) => !usedSpaces.has(space.id) && canPublishSpace(space))
  const isSpace = kind === 'section' || kind === 'variant'
  const titles = { section: texts.addSection, variant: texts.addVariant, group: texts.addGroup, link: texts.addLink }
  const spaceTitle = spaces.find(({ id }) => id === spaceId)?.title ?? ''
  const add = () => {
    const space = { spaceId: spaceId === newSpace ? null : spaceId, sectionId }
    const addition: Addition =
      kind === 'link' ? { kind, title, url } : kind === 'group' ? { kind, title } : { kind, title, ...space }
    onAdd(addition, title.trim() || spaceTitle)
  }
  return (
    <FormDialog title={titles[kind]} onClose={onClose} onSubmit={add} action={texts.add}>
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
        placeholder={spaceTitle}
        value={title}
        onInput={setTitle}
      />
      {kind === 'link' && (
        <TextField label={texts.address} type="url" required placeholder="https://" value={url} onInput={setUrl} />
      )}
    </FormDialog>
  )
}
