import { Plugin } from 'prosemirror-state'
import { clearSelectedCells } from './table-commands.ts'

/** Replaces the contents of several selected cells with typed text, and keeps the cells. */
export const typeOverCells = (): Plugin =>
  new Plugin({
    props: {
      handleTextInput({ state, dispatch }, _from, _to, text) {
        const tr = clearSelectedCells(state)
        if (tr) dispatch(tr.insertText(text).scrollIntoView())
        return tr !== undefined
      },
    },
  })
