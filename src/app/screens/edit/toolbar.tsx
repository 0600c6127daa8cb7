import type { EditorView } from '@codemirror/view'
import { useRef } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { viewAsTexts } from '../view-as/view-as-texts.ts'
import { type PickerKind, listBlocks } from './blocks.ts'
import { toolTexts as texts } from './edit-texts.ts'
import { insertBlock, toggleLinePrefix, toggleMark } from './text-commands.ts'

interface ToolbarProps {
  getView: () => EditorView | undefined
  onLink: () => void
  onFiles: (files: readonly File[]) => void
  /** Called to choose an item from a list of the space. */
  onPick: (kind: PickerKind) => void
  /** Called to show the preview as a visitor sees it. */
  onViewAs: () => void
}

/** Buttons that format the selected text and insert blocks. */
export function EditToolbar({ getView, onLink, onFiles, onPick, onViewAs }: ToolbarProps) {
  const input = useRef<HTMLInputElement>(null)
  const run = (command: (view: EditorView) => unknown) => () => {
    const view = getView()
    if (view) command(view)
  }
  return (
    <div class="edit-tools" role="group" aria-label={texts.toolbar}>
      <Button kind="quiet" icon="bold" label={texts.bold} onClick={run(toggleMark('**'))} />
      <Button kind="quiet" icon="italic" label={texts.italic} onClick={run(toggleMark('_'))} />
      <Button kind="quiet" icon="code" label={texts.code} onClick={run(toggleMark('`'))} />
      <Button kind="quiet" icon="link" label={texts.link} onClick={onLink} />
      <Button kind="quiet" icon="heading" label={texts.heading} onClick={run(toggleLinePrefix('## '))} />
      <Button kind="quiet" icon="list" label={texts.list} onClick={run(toggleLinePrefix('* '))} />
      <Button kind="quiet" icon="blockquote" label={texts.quote} onClick={run(toggleLinePrefix('> '))} />
      <Button kind="quiet" icon="photo" label={texts.file} onClick={() => input.current?.click()} />
      <Menu
        label={texts.insert}
        items={listBlocks().map(({ title, icon, text, picker }) => ({
          title,
          icon,
          onSelect: picker ? () => onPick(picker) : run((view) => insertBlock(view, text)),
        }))}
      >
        {texts.insert}
      </Menu>
      <Button kind="quiet" icon="eye" label={viewAsTexts.viewAs} onClick={onViewAs} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
    </div>
  )
}
