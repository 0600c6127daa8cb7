import type { ComponentChildren } from 'preact'
import type { Command } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { Button } from '../../ui/button.tsx'
import type { IconName } from '../../ui/icons.ts'
import type { VisualEditorModel } from '../use-visual-editor.ts'
import { blockTexts as texts } from './block-texts.ts'
import type { BlockTools } from './block-tools.ts'
import { useViewportBottom } from './use-viewport-bottom.ts'

/** An action; false if it is not possible. */
type Action = false | (() => unknown)

interface BlockBarProps {
  editor: VisualEditorModel
  view: EditorView
  tools: BlockTools
  /** The menu of the block. */
  menu: ComponentChildren
  onInsert: Action
  onMoveUp: Action
  onMoveDown: Action
}

/** Buttons for the block with the cursor at the bottom of the window, above the keyboard on the screen. */
export function BlockBar({ editor, view, tools, menu, onInsert, onMoveUp, onMoveDown }: BlockBarProps) {
  const { undo, redo, indentItem, outdentItem, editorTexts } = tools
  // Every change can be undone.
  void editor.changes.value
  const bottom = useViewportBottom()
  /** Returns an action that runs a command, if that is possible. */
  const when = (command: Command): Action => command(view.state) && (() => command(view.state, view.dispatch, view))
  const isInList = tools.itemTypeAt(view.state.selection.$from) !== undefined
  return (
    <div class="block-bar" role="toolbar" aria-label={texts.blockTools} style={{ bottom: `${bottom}px` }}>
      {menu}
      <BarButton icon="plus" label={texts.insertBelow} onClick={onInsert} />
      <BarButton icon="chevron-up" label={editorTexts.moveUp} onClick={onMoveUp} />
      <BarButton icon="chevron-down" label={editorTexts.moveDown} onClick={onMoveDown} />
      {isInList && <BarButton icon="indent-decrease" label={texts.outdent} onClick={when(outdentItem)} />}
      {isInList && <BarButton icon="indent-increase" label={texts.indent} onClick={when(indentItem)} />}
      <BarButton icon="arrow-back-up" label={texts.undo} onClick={when(undo)} />
      <BarButton icon="arrow-forward-up" label={texts.redo} onClick={when(redo)} />
    </div>
  )
}

/** A button that does not take the focus from the text, so that the keyboard stays open. */
function BarButton({ icon, label, onClick }: { icon: IconName; label: string; onClick: Action }) {
  return (
    <Button
      kind="quiet"
      icon={icon}
      label={label}
      disabled={onClick === false}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onClick !== false && onClick()}
    />
  )
}
