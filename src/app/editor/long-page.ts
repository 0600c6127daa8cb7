import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'

/** Number of blocks above which a page is laid out and painted only where it is visible. */
const maxShortPage = 300
/** Number of blocks of a long page that are laid out and painted together. */
const groupSize = 25
/** Number of groups before and after the cursor that are laid out before a key moves it. */
const nearGroups = 2
/** Average number of characters in a line, to estimate the height of blocks that were never visible. */
const lineLength = 85

/**
 * Lays out and paints only the visible parts of a long page. A shadow root shows the blocks in groups, and the browser skips groups that
 * are not visible, so the cost of a key does not depend on the number of blocks. In the document the blocks remain siblings, as the
 * editor requires. The groups have a common parent that is editable, because browsers end a selection at the border of its editable root.
 * Firefox ends it at each group nevertheless; there, each block is skipped on its own. Safari lays out everything: it has no scroll
 * anchoring, so that blocks would move under the pointer when others are laid out, and it types at the nearest block with a layout.
 */
export function skipHiddenBlocks(): Plugin {
  if (!CSS.supports('overflow-anchor: auto')) return new Plugin({})
  return CSS.supports('-webkit-user-modify: read-write') ? groupBlocks() : markLongPages()
}

const markLongPages = (): Plugin =>
  new Plugin({
    props: { attributes: ({ doc }) => ({ class: doc.childCount > maxShortPage ? 'is-long' : '' }) },
  })

const groupBlocks = (): Plugin =>
  new Plugin({
    props: { handleKeyDown: showNearGroups },
    view({ dom }) {
      const observer = new MutationObserver(() => assignBlocks(dom))
      let isObserved = false
      const update = () => {
        if (!dom.shadowRoot) {
          if (dom.childElementCount <= maxShortPage) return
          addGroup(dom.attachShadow({ mode: 'open', slotAssignment: 'manual' }).appendChild(createPart('groups')))
        }
        // The editor may measure a new block before observers are called.
        if (isObserved && observer.takeRecords().length === 0) return
        assignBlocks(dom)
        observer.observe(dom, { childList: true })
        isObserved = true
      }
      update()
      return { update, destroy: () => observer.disconnect() }
    },
  })

/** Lays out the groups around the cursor before a key moves it, because browsers move it past text without a layout. */
function showNearGroups({ dom, state }: EditorView, { key }: KeyboardEvent): void {
  if (!/^(?:Arrow|Page)/.test(key)) return
  const groups = [...(dom.shadowRoot?.firstElementChild?.children ?? [])]
  const block = dom.children[state.selection.$head.index(0)] ?? dom.lastElementChild
  const current = groups.indexOf(block?.assignedSlot?.parentElement as Element)
  groups.forEach(({ part }, index) => void part.toggle('near', Math.abs(index - current) <= nearGroups))
}

function createPart(name: string): HTMLElement {
  const element = document.createElement('div')
  element.part.add(name)
  return element
}

/** Adds an empty group after another one, or as the first one. */
function addGroup(groups: Element, previous?: Element): HTMLElement {
  const group = createPart('group')
  group.append(document.createElement('slot'))
  groups.insertBefore(group, previous ? previous.nextSibling : groups.firstChild)
  return group
}

/** Assigns all blocks to groups in their order. Blocks remain in their group, so that the browser lays out only what has changed. */
function assignBlocks(dom: HTMLElement): void {
  const parent = dom.shadowRoot?.firstElementChild
  if (!parent) return
  const groups = [...parent.children] as HTMLElement[]
  const members: Element[][] = groups.map(() => [])
  let index = 0
  for (const block of dom.children) {
    // A new block, or one that was moved up, becomes a member of the current group.
    const own = block.assignedSlot?.parentElement
    if (own && own !== groups[index]) index = Math.max(index, groups.indexOf(own))
    members[index]?.push(block)
  }
  groups.forEach((group, at) => {
    const blocks = members[at] ?? []
    if (blocks.length === 0 && parent.childElementCount > 1) group.remove()
    else if (blocks.length <= 2 * groupSize) setMembers(group, blocks)
    else
      for (let start = 0, current = group; start < blocks.length; start += groupSize) {
        if (start > 0) current = addGroup(parent, current)
        setMembers(current, blocks.slice(start, start + groupSize))
      }
  })
}

function setMembers(group: HTMLElement, blocks: readonly Element[]): void {
  const slot = group.firstElementChild as HTMLSlotElement
  const assigned = slot.assignedNodes()
  if (assigned.length === blocks.length && assigned.every((node, index) => node === blocks[index])) return
  slot.assign(...blocks)
  const lines = blocks.reduce((sum, { textContent }) => sum + Math.ceil(textContent.length / lineLength), 0)
  group.style.containIntrinsicBlockSize = `auto ${1.25 * blocks.length + 1.75 * lines}rem`
}
