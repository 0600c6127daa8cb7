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
  const { undo, redo, editorTexts } = tools
  // Every change can be undone.
  void editor.changes.value
  const bottom = useViewportBottom()
  const run = (command: Command) => () => command(view.state, view.dispatch, view)
  return (
    <div class="block-bar" role="toolbar" aria-label={texts.blockTools} style={{ bottom: `${bottom}px` }}>
      {menu}
      <BarButton icon="plus" label={texts.insertBelow} onClick={onInsert} />
      <BarButton icon="chevron-up" label={editorTexts.moveUp} onClick={onMoveUp} />
      <BarButton icon="chevron-down" label={editorTexts.moveDown} onClick={onMoveDown} />
      <BarButton icon="arrow-back-up" label={texts.undo} onClick={undo(view.state) && run(undo)} />
      <BarButton icon="arrow-forward-up" label={texts.redo} onClick={redo(view.state) && run(redo)} />
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
