import type { ComponentChildren } from 'preact'
import { linkStyles } from '../../../../contract/customization-choices.ts'
import type { ContentRef } from '../../../../contract/document.ts'
import { SelectField, TextField } from '../../../ui/fields.tsx'
import { ListEditor } from './list-editor.tsx'
import { customizeTexts as texts } from './setting-texts.ts'

export interface PlainLink {
  title: string
  to: ContentRef
}

export interface HeaderLink {
  title: string
  to: ContentRef | null
  style?: 'link' | 'button-primary' | 'button-secondary' | undefined
  links: readonly PlainLink[]
  condition?: string | undefined
}

export interface FooterGroup {
  title: string
  links: readonly PlainLink[]
}

interface TargetFieldProps {
  label: string
  value: ContentRef | null | undefined
  onChange: (to: ContentRef | undefined) => void
}

/** Edits the target of a link. Links to content of the organization are kept until an address replaces them. */
export function TargetField({ label, value, onChange }: TargetFieldProps) {
  const isContent = value !== undefined && value !== null && value.kind !== 'url'
  return (
    <TextField
      label={label}
      placeholder="https://"
      maxLength={2048}
      value={value?.kind === 'url' ? value.url : ''}
      {...(isContent && { hint: texts.linkToContent })}
      onInput={(url) => onChange(url.trim() === '' ? undefined : { kind: 'url', url: url.trim() })}
    />
  )
}

const emptyTarget: ContentRef = { kind: 'url', url: '/' }

/** Values of a setting that is a list. */
export interface ListFieldProps<Item> {
  items: readonly Item[]
  onChange: (items: readonly Item[]) => void
}

interface TitledListProps<Item> extends ListFieldProps<Item> {
  maxItems: number
  maxTitleLength: number
  addLabel: string
  create: () => Item
  /** Renders the fields after the title. */
  renderFields: (item: Item, change: (item: Item) => void) => ComponentChildren
}

/** Edits a list of items with a title. */
function TitledList<Item extends { title: string }>(props: TitledListProps<Item>) {
  const { items, maxItems, maxTitleLength, addLabel, create, onChange, renderFields } = props
  return (
    <ListEditor
      items={items}
      maxItems={maxItems}
      addLabel={addLabel}
      nameOf={({ title }) => title}
      create={create}
      onChange={onChange}
      render={(item, change) => (
        <>
          <TextField
            label={texts.linkTitle}
            maxLength={maxTitleLength}
            value={item.title}
            onInput={(title) => change({ ...item, title })}
          />
          {renderFields(item, change)}
        </>
      )}
    />
  )
}

const maxLinks = 50

/** Edits a list of links. */
function LinkList({ items, onChange }: ListFieldProps<PlainLink>) {
  return (
    <TitledList
      items={items}
      maxItems={maxLinks}
      maxTitleLength={64}
      addLabel={texts.addLink}
      create={() => ({ title: '', to: emptyTarget })}
      onChange={onChange}
      renderFields={(link, change) => (
        <TargetField
          label={texts.linkAddress}
          value={link.to}
          onChange={(to) => change({ ...link, to: to ?? emptyTarget })}
        />
      )}
    />
  )
}

export function HeaderLinks({ items, onChange }: ListFieldProps<HeaderLink>) {
  return (
    <TitledList
      items={items}
      maxItems={maxLinks}
      maxTitleLength={128}
      addLabel={texts.addLink}
      create={() => ({ title: '', to: emptyTarget, links: [] })}
      onChange={onChange}
      renderFields={(link, change) => (
        <>
          <TargetField
            label={texts.linkAddress}
            value={link.to}
            onChange={(to) => change({ ...link, to: to ?? null })}
          />
          <SelectField
            label={texts.linkStyle}
            value={link.style ?? 'link'}
            options={linkStyles.map((value) => ({ value, title: texts[`style_${value}`] }))}
            onChange={(style) => change({ ...link, style })}
          />
          <details>
            <summary>{texts.menu}</summary>
            <LinkList items={link.links} onChange={(links) => change({ ...link, links })} />
            <TextField
              label={texts.condition}
              hint={texts.conditionHint}
              maxLength={1024}
              spellcheck={false}
              value={link.condition ?? ''}
              onInput={(condition) => change({ ...link, condition })}
            />
          </details>
        </>
      )}
    />
  )
}

export function FooterGroups({ items, onChange }: ListFieldProps<FooterGroup>) {
  return (
    <TitledList
      items={items}
      maxItems={20}
      maxTitleLength={128}
      addLabel={texts.addGroup}
      create={() => ({ title: '', links: [] })}
      onChange={onChange}
      renderFields={(group, change) => (
        <LinkList items={group.links} onChange={(links) => change({ ...group, links })} />
      )}
    />
  )
}
