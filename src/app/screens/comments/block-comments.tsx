import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Comment } from '../../../contract/comment.ts'
import { useShortcuts } from '../../shortcuts.ts'
import { countText, fillText } from '../../texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { findBlock } from '../../ui/rendered-content.tsx'
import { commentTexts } from './comment-texts.ts'
import { type CommentsState, startComment } from './comments-state.ts'

interface BlockCommentsProps {
  state: CommentsState
  /** Open comments of the page. */
  comments: readonly Comment[]
  canComment: boolean
  /** The rendered content. */
  children: ComponentChildren
}

/** Shows which blocks of a page have comments, and a button to comment on the block under the pointer. */
export function BlockComments({ state, comments, canComment, children }: BlockCommentsProps) {
  const wrapper = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState<HTMLElement | undefined>()
  const markers = useMarkers(wrapper.current, state, comments)
  useHighlight(state)
  const comment = () => {
    const element = pointed ?? findFirstVisible(state.root.value)
    if (element) startComment(state, element)
  }
  useShortcuts(canComment ? [{ keys: 'c', title: commentTexts.commentOnBlock, run: comment }] : [])
  const point = (element: HTMLElement | undefined) => {
    setPointed(element)
    state.highlighted.value = element?.dataset['block']
  }
  return (
    <div
      ref={wrapper}
      class="block-comments"
      onPointerMove={(event) => {
        if (event.pointerType === 'touch' || !(event.target instanceof Element)) return
        const block = event.target.closest<HTMLElement>('[data-block]')
        if (block && block !== pointed) point(block)
      }}
      onPointerLeave={() => point(undefined)}
      onClick={(event) => {
        // On touch screens a tap chooses the block.
        const block = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-block]') : null
        if (block && block !== pointed) point(block)
      }}
    >
      {children}
      {markers.map(({ block, count, top }) => (
        <button
          key={block}
          type="button"
          class="comment-marker"
          style={{ top: `${top}px` }}
          aria-label={countText(commentTexts.showComments, count)}
          onPointerEnter={() => (state.highlighted.value = block)}
          onClick={() => {
            state.isOpen.value = true
            state.shown.value = block
          }}
        >
          <Icon name="message" size={14} />
          {count}
        </button>
      ))}
      {canComment && <CommentButton wrapper={wrapper.current} pointed={pointed} state={state} onPoint={point} />}
    </div>
  )
}

interface CommentButtonProps {
  wrapper: HTMLElement | null
  pointed: HTMLElement | undefined
  state: CommentsState
  onPoint: (element: HTMLElement) => void
}

/** Button beside the block under the pointer. With the keyboard it is reached by Tab, and the arrow keys select the block. */
function CommentButton({ wrapper, pointed, state, onPoint }: CommentButtonProps) {
  const text = (pointed?.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, 60)
  const move = (step: number) => {
    const blocks = [...(state.root.value?.querySelectorAll<HTMLElement>('[data-block]') ?? [])]
    const next = blocks[Math.max(0, (pointed ? blocks.indexOf(pointed) : 0) + step)]
    if (!next) return
    next.scrollIntoView({ block: 'nearest' })
    onPoint(next)
  }
  return (
    <button
      type="button"
      class="block-comment-button"
      data-pointed={pointed !== undefined}
      style={{ top: `${pointed && wrapper ? topOf(pointed, wrapper) : 0}px` }}
      aria-label={pointed ? fillText(commentTexts.commentOn, { text }) : commentTexts.commentOnBlock}
      title={commentTexts.commentOnBlock}
      onFocus={() => {
        const first = pointed ?? findFirstVisible(state.root.value)
        if (first) onPoint(first)
      }}
      onKeyDown={(event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
        if (step === undefined) return
        event.preventDefault()
        move(step)
      }}
      onClick={(event) => {
        event.stopPropagation()
        if (pointed) startComment(state, pointed)
      }}
    >
      <Icon name="message-plus" />
    </button>
  )
}

const topOf = (element: HTMLElement, wrapper: HTMLElement): number =>
  Math.round(element.getBoundingClientRect().top - wrapper.getBoundingClientRect().top)

const findFirstVisible = (root: HTMLElement | undefined): HTMLElement | undefined =>
  [...(root?.querySelectorAll<HTMLElement>('[data-block]') ?? [])].find(
    (block) => block.getBoundingClientRect().bottom > 0 && block.getClientRects().length > 0,
  )

interface Marker {
  block: string
  count: number
  top: number
}

/** Returns the blocks with comments and their positions, and updates them when the content changes its size. */
function useMarkers(wrapper: HTMLElement | null, state: CommentsState, comments: readonly Comment[]): Marker[] {
  const [markers, setMarkers] = useState<Marker[]>([])
  const root = state.root.value
  useEffect(() => {
    if (!wrapper || !root) return undefined
    const counts = new Map<string, number>()
    for (const { target } of comments)
      if (target.node) counts.set(target.node.id, (counts.get(target.node.id) ?? 0) + 1)
    const update = () =>
      setMarkers(
        [...counts].flatMap(([block, count]) => {
          const element = findBlock(root, block)
          // Blocks in closed parts, such as other tabs, are not shown.
          return element && element.getClientRects().length > 0 ? [{ block, count, top: topOf(element, wrapper) }] : []
        }),
      )
    const observer = new ResizeObserver(update)
    observer.observe(root)
    update()
    return () => observer.disconnect()
  }, [wrapper, root, comments])
  return markers
}

/** Marks the element of the highlighted block. */
function useHighlight(state: CommentsState): void {
  const key = state.highlighted.value
  const root = state.root.value
  useEffect(() => {
    const element = root && key !== undefined ? findBlock(root, key) : undefined
    element?.classList.add('is-pointed')
    return () => element?.classList.remove('is-pointed')
  }, [root, key])
}
