import { useState } from 'preact/hooks'
import { appHref } from '../../../base-path.ts'
import { countText, fillText } from '../../../texts.ts'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/fields.tsx'
import { Form } from '../../../ui/form.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { type ItemChange, type SiteItem, type SiteNode, toNodePath } from './site-tree.ts'
import { structureTexts as texts } from './structure-texts.ts'

interface ItemDetailsProps {
  /** All items of the site. */
  nodes: readonly SiteNode[]
  item: SiteItem
  /** Address of the site, with a trailing slash. */
  base: string
  /** Stores changes; returns whether they were accepted. */
  onSave: (change: ItemChange) => Promise<boolean>
}

type TextName = 'title' | 'path' | 'icon' | 'description' | 'url' | 'condition'

/** Text fields of each kind of item. */
const fieldsOf: Record<SiteItem['object'], readonly TextName[]> = {
  'site-space': ['title', 'path', 'condition'],
  'site-section': ['title', 'path', 'icon', 'description', 'condition'],
  'site-section-group': ['title', 'icon'],
  'site-external-link': ['title', 'url', 'icon', 'description', 'condition'],
}

const requiredFields: ReadonlySet<TextName> = new Set(['title', 'path', 'url'])

const readField = (item: SiteItem, name: TextName): string =>
  ((item as unknown as Record<string, unknown>)[name] as string | undefined) ?? ''

/** Edits one entry of the structure, and shows its address. */
export function ItemDetails({ nodes, item, base, onSave }: ItemDetailsProps) {
  const names = fieldsOf[item.object]
  const stored = Object.fromEntries(names.map((name) => [name, readField(item, name)])) as Record<TextName, string>
  // Contains only edited values, so that changes of other people replace all others.
  const [typed, setTyped] = useState<Partial<Record<TextName, string>>>({})
  const values = { ...stored, ...typed }
  const changed = names.filter((name) => values[name] !== stored[name])
  const [save, isSaving] = useAction(async () => {
    const change = Object.fromEntries(changed.map((name) => [name, values[name].trim() || null])) as ItemChange
    // Values remain if the server refuses them, or if they were edited again since then.
    if (!(await onSave(change))) return
    setTyped((current) =>
      Object.fromEntries(Object.entries(current).filter(([name, value]) => value !== values[name as TextName])),
    )
  })
  const kinds = {
    'site-space': texts.variant,
    'site-section': texts.section,
    'site-section-group': texts.group,
    'site-external-link': texts.link,
  }
  const labels: Record<TextName, { label: string; hint?: string }> = {
    title: { label: texts.name },
    path: { label: texts.path, hint: texts.pathHint },
    icon: { label: texts.icon, hint: texts.iconHint },
    description: { label: texts.description },
    url: { label: texts.address },
    condition: { label: texts.condition, hint: texts.conditionHint },
  }
  return (
    <Form class="site-item" onSubmit={() => void save()}>
      <p class="quiet">{kinds[item.object]}</p>
      <h2>{item.title}</h2>
      <p class="site-item-result">{describeResult(nodes, item, base)}</p>
      {names.map((name) => (
        <TextField
          key={name}
          {...labels[name]}
          required={requiredFields.has(name)}
          maxLength={name === 'url' ? 2048 : name === 'condition' ? 1024 : 128}
          value={values[name] ?? ''}
          onInput={(value) => setTyped({ ...typed, [name]: value })}
        />
      ))}
      <div class="toolbar">
        <Button type="submit" kind="primary" isBusy={isSaving} disabled={changed.length === 0}>
          {texts.save}
        </Button>
        {item.object === 'site-space' && (
          <LinkButton href={appHref(`/spaces/${item.space.id}`)} icon="book">
            {texts.openSpace}
          </LinkButton>
        )}
      </div>
    </Form>
  )
}

/** Describes what readers see of an item. */
function describeResult(nodes: readonly SiteNode[], item: SiteItem, base: string): string {
  if (item.draft) return texts.readersNot
  if (item.object === 'site-external-link') return fillText(texts.readersLink, { address: item.url })
  if (item.object === 'site-section-group') return countText(texts.readersGroup, item.children.length)
  const address = base.replace(/^https?:\/\//, '') + toNodePath(nodes, item.id)
  if ('hidden' in item && item.hidden) return fillText(texts.readersUnlisted, { address })
  if (item.condition !== undefined) return fillText(texts.readersCondition, { address })
  return fillText(item.default ? texts.readersFirst : texts.readersFind, { address })
}
