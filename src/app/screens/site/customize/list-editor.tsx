import type { ComponentChildren } from 'preact'
import { Button } from '../../../ui/button.tsx'
import { customizeTexts as texts } from './setting-texts.ts'

interface ListEditorProps<Item> {
  items: readonly Item[]
  maxItems: number
  addLabel: string
  /** Name of an item for screen readers. */
  nameOf: (item: Item) => string
  create: () => Item
  onChange: (items: readonly Item[]) => void
  render: (item: Item, change: (item: Item) => void) => ComponentChildren
}

/** Edits a list with buttons that add, remove and move items. */
export function ListEditor<Item>({
  items,
  maxItems,
  addLabel,
  nameOf,
  create,
  onChange,
  render,
}: ListEditorProps<Item>) {
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
