import type { Node } from 'prosemirror-model'
import { Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import type { Block, ContentRef } from '../../../content/document/nodes.ts'
import type { ContentLocation } from '../../../contract/links.ts'
import { editorTexts as texts } from '../editor-texts.ts'
import { readSelection } from '../read-selection.ts'

/** Annotations of blocks and links, which are not part of the content. */
export interface Annotations {
  /** Keys of blocks that have open comments, or for which a comment is being written. */
  commented: ReadonlySet<string>
  /** Key of the block whose comment is under the pointer. */
  highlighted: string | undefined
  /** Targets of broken links, as `nameTarget` returns them. */
  broken: ReadonlySet<string>
  /** ID of the edited page. */
  pageId: string
}

const key = new PluginKey<DecorationSet>('annotations')

/** Returns the key of a block; undefined if it was not stored yet. */
export function keyOfNode({ attrs }: Node): string | undefined {
  const known = (attrs['key'] as string | null | undefined) ?? (attrs['json'] as Block | undefined)?.key
  return known ?? undefined
}

/** Scrolls to the block that the URL fragment refers to: by its key, `#block-<key>`, or by its anchor on published pages. */
export function showAddressedBlock(view: EditorView): void {
  const wanted = location.hash.slice(1)
  if (wanted === '') return
  view.state.doc.descendants((node, position) => {
    const anchor = (node.attrs['rest'] as Pick<Block, 'meta'> | null | undefined)?.meta?.id
    const isWanted = `block-${keyOfNode(node)}` === wanted || (anchor !== undefined && encodeURI(anchor) === wanted)
    const element = isWanted ? view.nodeDOM(position) : null
    if (element instanceof HTMLElement) element.scrollIntoView({ block: 'center' })
    return !node.isTextblock
  })
}

/** Marks blocks with comments and broken links. */
export const createAnnotations = (): Plugin =>
  new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply(tr, set) {
        const annotations = tr.getMeta(key) as Annotations | undefined
        if (annotations) return draw(tr.doc, annotations)
        return tr.docChanged ? set.map(tr.mapping, tr.doc) : set
      },
    },
    props: { decorations: (state) => key.getState(state) },
  })

export function setAnnotations(view: EditorView, annotations: Annotations): void {
  const { commented, broken } = annotations
  // Most pages have neither, and updating the editor takes long in long pages.
  if (commented.size + broken.size === 0 && key.getState(view.state) === DecorationSet.empty) return
  readSelection(view)
  view.dispatch(view.state.tr.setMeta(key, annotations).setMeta('addToHistory', false))
}

function draw(doc: Node, { commented, highlighted, broken, pageId }: Annotations): DecorationSet {
  if (commented.size === 0 && broken.size === 0) return DecorationSet.empty
  const decorations: Decoration[] = []
  doc.descendants((node, position) => {
    const block = node.isBlock ? keyOfNode(node) : undefined
    if (block !== undefined && commented.has(block)) {
      const className = block === highlighted ? 'has-comments is-pointed' : 'has-comments'
      decorations.push(Decoration.node(position, position + node.nodeSize, { class: className, 'data-block': block }))
    }
    const link = broken.size > 0 ? node.marks.find(({ type }) => type.name === 'link') : undefined
    const ref = (link?.attrs['data'] as { ref: ContentRef } | undefined)?.ref
    if (ref && broken.has(nameTarget(ref, pageId)))
      decorations.push(
        Decoration.inline(position, position + node.nodeSize, { class: 'broken-link', title: texts.brokenLink }),
      )
    return true
  })
  return DecorationSet.create(doc, decorations)
}

/** Returns a string that identifies the target of a link of a page. */
export function nameTarget(ref: ContentRef, pageId: string): string {
  switch (ref.kind) {
    case 'page':
      return `page:${ref.page}#`
    case 'anchor':
      return `page:${ref.page ?? pageId}#${ref.anchor}`
    case 'file':
      return `file:${ref.file}`
    default:
      return JSON.stringify(ref)
  }
}

/** Returns the same string for a target in the list of links. */
export function nameLocation(location: ContentLocation): string {
  if (location.kind === 'file') return `file:${location.file}`
  if (location.kind !== 'page') return JSON.stringify(location)
  const { page, internalLocation } = location
  return `page:${page}#${internalLocation?.type === 'anchor' ? internalLocation.anchor : ''}`
}
