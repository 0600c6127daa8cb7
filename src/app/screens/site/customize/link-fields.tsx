import type { ContentRef } from '../../../../contract/document.ts'
import type { ComponentChildren } from 'preact'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/fields.tsx'
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

const linkStyles = ['link', 'button-primary', 'button-secondary'] as const

/** Edits the target of a link. Links to content of the organization are kept until an address replaces them. */
export function TargetField({
  label,
  value,
  onChange,
}: {
  label: string
  value: ContentRef | null | undefined
  onChange: (to: ContentRef | undefined) => void
}) {
  const isContent = value !== undefined && value !== null && value.kind !== 'url'
  return (
    <TextField
      label={label}
      type="text"
      placeholder="https://"
      maxLength={2048}
      value={value?.kind === 'url' ? value.url : ''}
      {...(isContent && { hint: texts.linkToContent })}
      onInput={(url) => onChange(url.trim() === '' ? undefined : { kind: 'url', url: url.trim() })}
    />
  )
}

interface ListProps<Item> {
  items: readonly Item[]
  maxItems: number
  addLabel: string
  /** Name of an item for screen readers. */
  nameOf: (item: Item) => string
  create: () => Item
  onChange: (items: readonly Item[]) => void
  render: (item: Item, change: (item: Item) => void) => ComponentChildren
}

/** Edits a list: items are added, removed, and moved with buttons. */
export function ListEditor<Item>({ items, maxItems, addLabel, nameOf, create, onChange, render }: ListProps<Item>) {
  const move = (from: number, to: number) => {
    const next = [...items]
    next.splice(to, 0, ...next.splice(from, 1))
    onChange(next)
  }
  return (
    <div class="setting-list">
      <ol>
        {items.map((item, index) => (
          <li key={index}>
            {render(item, (changed) => onChange(items.map((one, at) => (at === index ? changed : one))))}
            <span class="setting-list-actions">
              <Button
                kind="quiet"
                icon="chevron-up"
                label={`${texts.moveUp}: ${nameOf(item)}`}
                disabled={index === 0}
                onClick={() => move(index, index - 1)}
              />
              <Button
                kind="quiet"
                icon="chevron-down"
                label={`${texts.moveDown}: ${nameOf(item)}`}
                disabled={index === items.length - 1}
                onClick={() => move(index, index + 1)}
              />
              <Button
                kind="quiet"
                icon="trash"
                label={`${texts.remove}: ${nameOf(item)}`}
                onClick={() => onChange(items.filter((_, at) => at !== index))}
              />
            </span>
          </li>
        ))}
      </ol>
      {items.length < maxItems && (
        <Button kind="quiet" icon="plus" onClick={() => onChange([...items, create()])}>
          {addLabel}
        </Button>
      )}
    </div>
  )
}

const emptyTarget: ContentRef = { kind: 'url', url: '/' }

/** Edits a list of links. */
export function LinkList({
  links,
  onChange,
}: {
  links: readonly PlainLink[]
  onChange: (links: readonly PlainLink[]) => void
}) {
  return (
    <ListEditor
      items={links}
      maxItems={50}
      addLabel={texts.addLink}
      nameOf={({ title }) => title}
      create={() => ({ title: '', to: emptyTarget })}
      onChange={onChange}
      render={(link, change) => (
        <>
          <TextField
            label={texts.linkTitle}
            maxLength={64}
            value={link.title}
            onInput={(title) => change({ ...link, title })}
          />
          <TargetField
            label={texts.linkAddress}
            value={link.to}
            onChange={(to) => change({ ...link, to: to ?? emptyTarget })}
          />
        </>
      )}
    />
  )
}

export function HeaderLinks({
  links,
  onChange,
}: {
  links: readonly HeaderLink[]
  onChange: (links: readonly HeaderLink[]) => void
}) {
  return (
    <ListEditor
      items={links}
      maxItems={50}
      addLabel={texts.addLink}
      nameOf={({ title }) => title}
      create={() => ({ title: '', to: emptyTarget, links: [] })}
      onChange={onChange}
      render={(link, change) => (
        <>
          <TextField
            label={texts.linkTitle}
            maxLength={128}
            value={link.title}
            onInput={(title) => change({ ...link, title })}
          />
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
            <LinkList links={link.links} onChange={(inner) => change({ ...link, links: inner })} />
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

export function FooterGroups({
  groups,
  onChange,
}: {
  groups: readonly FooterGroup[]
  onChange: (groups: readonly FooterGroup[]) => void
}) {
  return (
    <ListEditor
      items={groups}
      maxItems={20}
      addLabel={texts.addGroup}
      nameOf={({ title }) => title}
      create={() => ({ title: '', links: [] })}
      onChange={onChange}
      render={(group, change) => (
        <>
          <TextField
            label={texts.linkTitle}
            maxLength={128}
            value={group.title}
            onInput={(title) => change({ ...group, title })}
          />
          <LinkList links={group.links} onChange={(links) => change({ ...group, links })} />
        </>
      )}
    />
  )
}
