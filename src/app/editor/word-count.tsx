import { effect } from '@preact/signals'
import type { Node } from 'prosemirror-model'
import { useEffect, useState } from 'preact/hooks'
import { countText } from '../texts.ts'
import type { editorTexts } from './editor-texts.ts'
import type { VisualEditorModel } from './use-visual-editor.ts'

/** Delay after the last change before words are counted, in milliseconds. */
const delay = 500

/** A word, or a character of a script that has no spaces between words. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}_])+(?:['’.-][\p{L}\p{N}]+)*/gu

const known = new WeakMap<Node, number>()

/** Counts the words of a document. The numbers of unchanged blocks are reused. */
export function countWords(doc: Node): number {
  let count = 0
  doc.descendants((node) => {
    if (!node.isTextblock) return true
    const own = known.get(node) ?? node.textBetween(0, node.content.size, ' ', ' ').match(word)?.length ?? 0
    known.set(node, own)
    count += own
    return false
  })
  return count
}

/** Shows the number of words of the page, or of the selected text. */
export function WordCount({ editor, words }: { editor: VisualEditorModel; words: typeof editorTexts.words }) {
  const [count, setCount] = useState<number>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = effect(() => {
      void editor.changes.value
      clearTimeout(timer)
      timer = setTimeout(() => {
        const state = editor.getView()?.state
        if (!state) return
        const { from, to, empty } = state.selection
        setCount(countWords(empty ? state.doc : state.doc.cut(from, to)))
      }, delay)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [])
  if (count === undefined) return null
  return <p class="word-count">{countText(words, count)}</p>
}
