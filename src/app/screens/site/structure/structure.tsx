import { useState } from 'preact/hooks'
import type { Site, SiteStructure } from '../../../../contract/site.ts'
import { useWholeList } from '../../../data/list.ts'
import { useQuery } from '../../../data/query.ts'
import { address, setQuery } from '../../../router.ts'
import { Menu, type MenuItem } from '../../../ui/menu.tsx'
import { EmptyState, ErrorState, Loading } from '../../../ui/states.tsx'
import { SiteFrame } from '../site-frame.tsx'
import { AddDialog, type NewItem } from './add-dialog.tsx'
import { ItemDetails } from './item-details.tsx'
import {
  type Addition,
  type ItemChange,
  type SiteItem,
  type SiteNode,
  findLineage,
  findSitePosition,
  toSiteNeighbor,
  toSitePosition,
} from './site-tree.ts'
import { confirmRemoval, hasSections, moveItem, setDefault, updateItem } from './structure-actions.ts'
import { structureTexts as texts } from './structure-texts.ts'
import { StructureTree } from './structure-tree.tsx'
import { isPending } from './tree-edits.ts'
import { useStructure } from './use-structure.ts'

/** Edits the structure of a site as the tree that readers see. */
export default function StructureScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { organizationId = '', siteId = '' } = params
  return (
    <SiteFrame organizationId={organizationId} siteId={siteId} screen="structure" isWide>
      {(site) => <LoadedStructure organizationId={organizationId} site={site} />}
    </SiteFrame>
  )
}

function LoadedStructure({ organizationId, site }: { organizationId: string; site: Site }) {
  const { data, error, reload, refresh } = useQuery('GET /orgs/{organizationId}/sites/{siteId}/structure', {
    params: { organizationId, siteId: site.id },
  })
  return (
    <>
      <h1 class="screen-title">{texts.title}</h1>
      {!data && (error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />)}
      {data && <StructureEditor organizationId={organizationId} site={site} structure={data} refresh={refresh} />}
    </>
  )
}

interface StructureEditorProps {
  organizationId: string
  site: Site
  structure: SiteStructure
  /** Reads the structure again after a change. */
  refresh: () => Promise<void>
}

function StructureEditor({ organizationId, site, structure, refresh }: StructureEditorProps) {
  const target = { organizationId, siteId: site.id }
  const selected = address.value.query.get('item') ?? undefined
  const [adding, setAdding] = useState<NewItem>()
  const { items: siteSpaces } = useWholeList('GET /orgs/{organizationId}/sites/{siteId}/site-spaces', {
    params: target,
  })
  const { nodes, change, remove, add } = useStructure(target, structure, refresh)
  const item = findLineage(nodes, selected ?? '').at(-1)?.item
  const move = (moved: SiteItem, to: ReturnType<typeof toSitePosition>) => {
    if (to && !isPending(moved)) void change(moveItem(target, moved, to, findSitePosition(nodes, moved)))
  }
  const update = (changed: SiteItem, fields: ItemChange) => void change(updateItem(target, changed, fields))
  const askAndRemove = async (removed: SiteItem) => {
    if (isPending(removed) || !(await confirmRemoval(removed))) return
    if ((await remove(removed)) && removed.id === selected) select(undefined)
  }
  const addAndSelect = async (addition: Addition, title: string) => {
    setAdding(undefined)
    const id = await add(addition, title)
    if (id === undefined) setAdding(addition)
    else select(id)
  }

  function listItems(node: SiteNode, rename: () => void): MenuItem[] {
    const { item: one } = node
    const [parent] = findLineage(nodes, one.id).slice(-2, -1)
    const siblings = parent?.pages ?? nodes
    const rivals = one.object === 'site-section' ? nodes.flatMap(listSections) : siblings.map((sibling) => sibling.item)
    const directions = [
      { direction: 'up', icon: 'chevron-up', title: texts.moveUp },
      { direction: 'down', icon: 'chevron-down', title: texts.moveDown },
      { direction: 'in', icon: 'chevron-right', title: texts.moveIn },
      { direction: 'out', icon: 'arrow-left', title: texts.moveOut },
    ] as const
    const moves = directions.flatMap(({ direction, icon, title }) => {
      const to = toSiteNeighbor(nodes, one, direction)
      return to ? [{ title, icon, onSelect: () => move(one, to) }] : []
    })
    return [
      { title: texts.rename, icon: 'edit', onSelect: rename },
      ...(one.object === 'site-section'
        ? [
            {
              title: texts.addVariant,
              icon: 'plus' as const,
              onSelect: () => setAdding({ kind: 'variant', sectionId: one.id }),
            },
          ]
        : []),
      ...('default' in one && !one.default
        ? [
            {
              title: texts.makeDefault,
              icon: 'home' as const,
              onSelect: () => void change(setDefault(target, one, parent?.item, rivals)),
            },
          ]
        : []),
      ...moves,
      ...(one.object === 'site-space'
        ? [
            {
              title: one.hidden ? texts.list : texts.unlist,
              icon: 'list-tree' as const,
              onSelect: () => update(one, { hidden: !one.hidden }),
            },
          ]
        : []),
      {
        title: one.draft ? texts.show : texts.hide,
        icon: one.draft ? 'eye' : 'eye-off',
        onSelect: () => update(one, { draft: !one.draft }),
      },
      {
        title: texts.remove,
        icon: 'trash',
        isDangerous: true,
        startsGroup: true,
        onSelect: () => void askAndRemove(one),
      },
    ]
  }

  const addMenu = (
    <Menu
      kind="primary"
      icon="plus"
      items={[
        !hasSections(structure) && {
          title: nodes.length === 0 ? texts.addSpace : texts.addVariant,
          icon: 'file-text',
          onSelect: () => setAdding({ kind: 'variant' }),
        },
        nodes.length > 0 && { title: texts.addSection, icon: 'book', onSelect: () => setAdding({ kind: 'section' }) },
        hasSections(structure) && {
          title: texts.addGroup,
          icon: 'folder',
          onSelect: () => setAdding({ kind: 'group' }),
        },
        hasSections(structure) && { title: texts.addLink, icon: 'link', onSelect: () => setAdding({ kind: 'link' }) },
      ]}
    >
      {texts.add}
    </Menu>
  )
  return (
    <>
      <div class="site-structure-head">
        <p class="quiet">{texts.intro}</p>
        {addMenu}
      </div>
      {nodes.length === 0 ? (
        <EmptyState icon="list-tree" title={texts.empty}>
          {texts.emptyHint}
        </EmptyState>
      ) : (
        <div class="site-structure">
          <StructureTree
            nodes={nodes}
            selected={selected}
            onSelect={select}
            onRename={(renamed, title) => update(renamed, { title })}
            onRemove={(removed) => void askAndRemove(removed)}
            onMove={(moved, direction) => move(moved, toSiteNeighbor(nodes, moved, direction))}
            onDrop={(moved, drop) => move(moved, toSitePosition(nodes, moved, drop))}
            listItems={listItems}
          />
          {item && !isPending(item) ? (
            <ItemDetails
              key={item.id}
              nodes={nodes}
              item={item}
              base={site.urls.published ?? '…/'}
              onSave={(fields) => change(updateItem(target, item, fields))}
            />
          ) : (
            <p class="site-item quiet">{texts.choose}</p>
          )}
        </div>
      )}
      {adding && (
        <AddDialog
          organizationId={organizationId}
          {...adding}
          usedSpaces={new Set((siteSpaces ?? []).map(({ space }) => space.id))}
          onClose={() => setAdding(undefined)}
          onAdd={(addition, title) => void addAndSelect(addition, title)}
        />
      )}
    </>
  )
}

const select = (id: string | undefined): void => setQuery('item', id)

/** Returns the sections of a node, including those in groups. */
const listSections = ({ item, pages }: SiteNode): SiteItem[] =>
  item.object === 'site-section' ? [item] : pages.flatMap(listSections)
