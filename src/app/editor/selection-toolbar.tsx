import { TextSelection } from 'prosemirror-state'
import { toolTexts } from '../screens/edit/edit-texts.ts'
import { Button } from '../ui/button.tsx'
import type { IconName } from '../ui/icons.ts'
import { markCommands } from './commands.ts'
import { editorTexts } from './editor-texts.ts'
import { hasLink, removeLink } from './links.ts'
import type { VisualEditorModel } from './use-visual-editor.ts'

interface ToolbarProps {
  editor: VisualEditorModel
  onLink: () => void
}

const listMarks = (): { name: keyof typeof markCommands; title: string; icon: IconName }[] => [
  { name: 'bold', title: toolTexts.bold, icon: 'bold' },
  { name: 'italic', title: toolTexts.italic, icon: 'italic' },
  { name: 'strikethrough', title: editorTexts.strikethrough, icon: 'strikethrough' },
  { name: 'code', title: toolTexts.code, icon: 'code' },
  { name: 'keyboard', title: editorTexts.keyboard, icon: 'keyboard' },
  { name: 'superscript', title: editorTexts.superscript, icon: 'superscript' },
  { name: 'subscript', title: editorTexts.subscript, icon: 'subscript' },
]

/** Keeps the focus and the selection in the text when a button is pressed. */
export const keepFocus = (event: Event): void => event.preventDefault()

/** Buttons that mark the selected text. They do not take the focus from it. */
export function MarkButtons({ editor, onLink }: ToolbarProps) {
  return (
    <>
      {listMarks().map(({ name, title, icon }) => (
        <Button
          key={name}
          kind="quiet"
          icon={icon}
          label={title}
          onMouseDown={keepFocus}
          onClick={() => {
            const view = editor.getView()
            if (view) markCommands[name](view.state, view.dispatch, view)
          }}
        />
      ))}
      <Button kind="quiet" icon="link" label={toolTexts.link} onMouseDown={keepFocus} onClick={onLink} />
    </>
  )
}

/** Distance of the toolbar from the text, in pixels. */
const gap = 8

/** Shows buttons above the selected text. */
export function SelectionToolbar({ editor, onLink }: ToolbarProps) {
  // The position depends on the selection, which is not a signal.
  void editor.changes.value
  const view = editor.getView()
  if (!view?.hasFocus() || view.state.selection.empty || !(view.state.selection instanceof TextSelection)) return null
  if (view.state.selection.$from.parent.type.name === 'code_block') return null
  const start = view.coordsAtPos(view.state.selection.from)
  const style = { left: `${Math.max(gap, start.left)}px`, bottom: `${window.innerHeight - start.top + gap}px` }
  return (
    <div class="selection-toolbar" role="toolbar" aria-label={editorTexts.selection} style={style}>
      <MarkButtons editor={editor} onLink={onLink} />
      {hasLink(view) && (
        <Button
          kind="quiet"
          icon="x"
          label={editorTexts.removeLink}
          onMouseDown={keepFocus}
          onClick={() => removeLink(view)}
        />
      )}
    </div>
  )
}
