import type { SiteStructure } from '../../../../contract/site.ts'
import { invalidate } from '../../../data/query.ts'
import { fillText } from '../../../texts.ts'
import { showToast } from '../../../ui/toasts.tsx'
import { useOptimistic } from '../../../ui/use-optimistic.ts'
import { type Addition, type SiteItem, type SiteNode, toSiteNodes } from './site-tree.ts'
import { type SiteTarget, type StructureChange, addItem, removeItem } from './structure-actions.ts'
import { structureTexts as texts } from './structure-texts.ts'
import { prepareAddition, withoutNode } from './tree-edits.ts'

/** The items of a site, including changes that the server has not confirmed yet, and functions that change them. */
export interface EditedStructure {
  nodes: readonly SiteNode[]
  /** Makes a change, and offers to undo it. Returns whether the server accepted it. */
  change: (change: StructureChange) => Promise<boolean>
  remove: (item: SiteItem) => Promise<boolean>
  /** Adds an item, which is shown with a title, and returns its ID; undefined if the server refused it. */
  add: (addition: Addition, title: string) => Promise<string | undefined>
}

export function useStructure(
  target: SiteTarget,
  structure: SiteStructure,
  refresh: () => Promise<void>,
): EditedStructure {
  const [nodes, run] = useOptimistic<readonly SiteNode[]>(toSiteNodes(structure), async () => {
    await refresh()
    invalidate(`/orgs/${target.organizationId}/sites`)
  })
  return {
    nodes,
    async change({ message, edit, undo }) {
      const isAccepted = await run(edit)
      if (isAccepted) showToast(message, { action: { title: texts.undo, onSelect: () => void run(undo) } })
      return isAccepted
    },
    async remove(item) {
      const isAccepted = await run({
        apply: (shown) => withoutNode(shown, item.id),
        send: () => removeItem(target, item),
      })
      if (isAccepted) showToast(fillText(texts.removed, { title: item.title }))
      return isAccepted
    },
    async add(addition, title) {
      let id: string | undefined
      // The first section also contains the existing spaces of the site, so the whole tree changes.
      const isOtherTree = addition.kind === 'section' && structure.type !== 'sections'
      await run({
        apply: isOtherTree ? (shown) => shown : prepareAddition(addition, title),
        send: async () => (id = await addItem(target, addition)),
      })
      return id
    },
  }
}
