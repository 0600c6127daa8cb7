import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { RenderedPage } from '../../contract/rendered.ts'
import { listenToContent, prepareContent, showTarget } from '../../browser/content.ts'
import { startCopying } from '../../browser/copy.ts'
import { loadStyles } from '../../browser/dom.ts'
import { defineTexts } from '../texts.ts'
import { joinClasses } from './classes.ts'
import { uiTexts } from './ui-texts.ts'

const texts = defineTexts('content', {
  zoom: 'Enlarge',
  copyFailed: 'Could not copy',
})

interface RenderedContentProps {
  /** Reply of an operation that returns HTML. */
  page: Pick<RenderedPage, 'html' | 'styles' | 'scripts' | 'complete'>
  /** Reads the page again; called after a delay while parts of it are missing. */
  onIncomplete?: (() => void) | undefined
  /** Called with the key of the block that was clicked. Clicks on links, buttons and fields are left out. */
  onBlockClick?: ((key: string) => void) | undefined
  /** Called after the HTML was shown, for example to add marks to blocks. */
  onShown?: ((root: HTMLElement) => void) | undefined
  class?: string
  /** Whether it is one block of a page, which inherits the text direction of the elements around it. */
  isBlock?: boolean
}

/** Delay before an incomplete page is read again, in milliseconds; it doubles with each attempt. */
const retryDelay = 1000
const maxRetries = 5

/** Shows rendered content as published pages do, with the behavior of tabs, images, diagrams and copy buttons. */
export function RenderedContent(props: RenderedContentProps) {
  const { page, onIncomplete, onBlockClick, onShown, class: className, isBlock = false } = props
  const root = useRef<HTMLDivElement>(null)
  const { html, styles, scripts } = page
  useLayoutEffect(() => {
    if (!root.current) return
    startBehavior()
    // The server escapes the text of authors.
    root.current.innerHTML = html
    prepareContent(root.current)
    onShown?.(root.current)
    for (const address of styles) void loadStyles(address)
    // Without its script, the source of a diagram remains visible.
    for (const address of scripts) runScript(address).catch(() => undefined)
  }, [html])
  useEffect(() => {
    // The browser scrolls to the hash only when the document loads.
    if (location.hash) showTarget()
  }, [])
  useRetry(page, onIncomplete)
  return (
    <div
      ref={root}
      class={joinClasses('content', className)}
      // As on published pages, the text determines its direction.
      dir={isBlock ? undefined : 'auto'}
      onClick={
        onBlockClick &&
        ((event) => {
          const target = event.target instanceof Element ? event.target : undefined
          if (!target || target.closest('a, button, input, label, summary, select, textarea')) return
          const key = findBlockKey(target)
          if (key !== undefined) onBlockClick(key)
        })
      }
    />
  )
}

/** Reads an incomplete page again, less often with each attempt. */
function useRetry({ html, complete }: RenderedContentProps['page'], onIncomplete: (() => void) | undefined): void {
  const retries = useRef(0)
  useEffect(() => {
    if (complete || !onIncomplete || retries.current >= maxRetries) return undefined
    const timer = setTimeout(onIncomplete, retryDelay * 2 ** retries.current++)
    return () => clearTimeout(timer)
  }, [html, complete])
}

/** Returns the key of the innermost block that contains an element. */
export const findBlockKey = (element: Element): string | undefined =>
  element.closest<HTMLElement>('[data-block]')?.dataset['block']

/** Returns the element of a block by its key. */
export const findBlock = (root: ParentNode, key: string): HTMLElement | null =>
  root.querySelector<HTMLElement>(`[data-block="${CSS.escape(key)}"]`)

let isStarted = false

/** Handles the events of all contents; called when the first one is shown. */
function startBehavior(): void {
  Object.assign(document.body.dataset, { zoom: texts.zoom, copied: uiTexts.copied, copyFailed: texts.copyFailed })
  if (isStarted) return
  isStarted = true
  listenToContent()
  startCopying()
  const status = document.createElement('div')
  status.className = 'sr-only'
  status.role = 'status'
  status.dataset['status'] = ''
  document.body.append(status)
}

/** Loads a script for content, such as the one that draws diagrams, and runs it for this content. */
async function runScript(address: string): Promise<void> {
  const { startDiagrams } = (await import(/* @vite-ignore */ address)) as typeof import('../../browser/mermaid.ts')
  startDiagrams()
}
