import type { Mark } from 'prosemirror-model'
import { TextSelection } from 'prosemirror-state'
import { toolTexts } from '../screens/edit/edit-texts.ts'
import type { PagePlace } from '../screens/edit/page-text.ts'
import { Button } from '../ui/button.tsx'
import type { IconName } from '../ui/icons.ts'
import { lazy } from '../ui/lazy.tsx'
import { markCommands } from './commands.ts'
import { editorTexts } from './editor-texts.ts'
import { isSafeUrl } from './inline-schema.ts'
import { findLink, hasLink, removeLink, toAddress } from './links.ts'
import type { VisualEditorModel } from './use-visual-editor.ts'

const LinkTarget = lazy(async () => (await import('./link-target.tsx')).LinkTarget)

interface ToolbarProps {
  editor: VisualEditorModel
  onLink: () => void
}

/** Location of the page whose links are shown. */
interface LinkPlace {
  place: PagePlace
  number: string | undefined
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

/** Buttons that mark the selected text and do not take the focus from it. */
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

/** Distance of the toolbar from the text and from the edge of the window, in pixels. */
const gap = 8
/** Maximum width of the toolbar. */
const maxWidth = '24rem'

/** Shows buttons above the selected text, or below the link that contains the cursor. */
export function SelectionToolbar({ editor, onLink, ...where }: ToolbarProps & LinkPlace) {
  // The position depends on the selection, which is not a signal.
  void editor.changes.value
  const view = editor.getView()
  if (!view?.hasFocus() || !(view.state.selection instanceof TextSelection)) return null
  if (view.state.selection.$from.parent.type.name === 'code_block') return null
  const isEmpty = view.state.selection.empty
  const link = isEmpty ? findLink(view.state) : undefined
  if (isEmpty && !link) return null
  const start = view.coordsAtPos(link?.from ?? view.state.selection.from)
  const style = {
    left: `max(${gap}px, min(${start.left}px, 100vw - ${maxWidth}))`,
    // A link can be in the first line, below the toolbar of the page.
    ...(link ? { top: `${start.bottom + gap}px` } : { bottom: `${window.innerHeight - start.top + gap}px` }),
  }
  return (
    <div class="selection-toolbar" role="toolbar" aria-label={editorTexts.selection} style={style}>
      {link ? (
        <LinkButtons link={link.mark} onLink={onLink} {...where} />
      ) : (
        <MarkButtons editor={editor} onLink={onLink} />
      )}
      {(link || hasLink(view)) && (
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

/** Shows the target of a link and a button that changes it. */
function LinkButtons({ link, onLink, ...where }: { link: Mark; onLink: () => void } & LinkPlace) {
  const address = toAddress(link)
  return (
    <>
      {isSafeUrl(address) ? (
        <a class="selection-link" href={address} target="_blank" rel="noreferrer">
          {address}
        </a>
      ) : (
        <LinkTarget link={link} {...where} />
      )}
      <Button kind="quiet" icon="edit" label={editorTexts.changeLink} onMouseDown={keepFocus} onClick={onLink} />
    </>
  )
}
