import { redo, undo } from 'prosemirror-history'
import { toolTexts } from '../../screens/edit/edit-texts.ts'
import { keyOfNode } from '../annotations/annotations.ts'
import { indentItem, itemTypeAt, outdentItem } from '../commands.ts'
import { containerTexts } from '../containers/container-texts.ts'
import { addPartAfter, deletePart, findPart, lastPart } from '../containers/parts.ts'
import { editorTexts } from '../editor-texts.ts'
import { followRange } from '../follow-range.ts'
import { formTitle } from '../forms/block-types.ts'
import { formTexts } from '../forms/form-texts.ts'
import { listBlockChoices } from '../insertions.ts'
import { isMenuOpen } from '../open-menu.ts'
import { readSelection } from '../read-selection.ts'

/**
 * Functions of the editor for the block menu and the marks of other users. Those are loaded later; if they imported these
 * functions, the script would be split into more and larger modules.
 */
export const blockTools = {
  editorTexts,
  toolTexts,
  containerTexts,
  formTexts,
  addPartAfter,
  deletePart,
  findPart,
  followRange,
  formTitle,
  indentItem,
  isMenuOpen,
  itemTypeAt,
  keyOfNode,
  lastPart,
  listBlockChoices,
  outdentItem,
  readSelection,
  redo,
  undo,
}

export type BlockTools = typeof blockTools
