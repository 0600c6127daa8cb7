import { useSignal } from '@preact/signals'
import { lazy } from '../../ui/lazy.tsx'
import { ViewAs } from '../view-as/view-as.tsx'
import { editTexts as texts } from './edit-texts.ts'
import { PageEditor, type PageEditorInput } from './page-editor.tsx'
import { joinPageText } from './page-text.ts'
import { Preview } from './preview.tsx'
import { SlashMenu } from './slash-menu.tsx'
import { insertBlock, insertText } from './text-commands.ts'
import { EditToolbar } from './toolbar.tsx'
import { UploadList } from './upload-list.tsx'
import { useEditor } from './use-editor.ts'

const LinkDialog = lazy(async () => (await import('./link-dialog.tsx')).LinkDialog)
const PickerDialog = lazy(async () => (await import('./picker-dialog.tsx')).PickerDialog)

/** The Markdown and the preview of a page. */
export default function MarkdownEditor(input: PageEditorInput) {
  const { changeRequest, place } = input
  const editor = useEditor(input)
  const { saver, body, position, slashMenu, picker, uploads } = editor
  const view = useSignal<'write' | 'preview'>('write')
  const isLinking = useSignal(false)
  const isViewingAs = useSignal(false)
  const isPageHidden = useSignal(false)
  return (
    <PageEditor {...input} editor={editor}>
      <ViewAs space={input.space} isOpen={isViewingAs} isPageHidden={isPageHidden.value} />
      <div class="edit-views" role="group" aria-label={texts.views}>
        {(['write', 'preview'] as const).map((one) => (
          <button key={one} type="button" aria-pressed={view.value === one} onClick={() => (view.value = one)}>
            {texts[one]}
          </button>
        ))}
      </div>
      <div class={`edit-panes shows-${view.value}`}>
        <div class="edit-source">
          <EditToolbar
            getView={editor.getView}
            onLink={() => (isLinking.value = true)}
            onFiles={(files) => editor.addFiles(files)}
            onPick={(kind) => (picker.value = kind)}
            onViewAs={() => (isViewingAs.value = true)}
          />
          <UploadList uploads={uploads} />
          <div class="edit-code" ref={editor.host} />
        </div>
        <Preview
          place={place}
          markdown={joinPageText(saver.titleLine, body.value)}
          position={position.value}
          onVisibility={(isVisible) => (isPageHidden.value = !isVisible)}
        />
      </div>
      <SlashMenu model={slashMenu} getView={editor.getView} />
      {isLinking.value && (
        <LinkDialog
          place={place}
          number={changeRequest && String(changeRequest.number)}
          onClose={() => (isLinking.value = false)}
          onInsert={(destination, pageTitle) => {
            isLinking.value = false
            const code = editor.getView()
            if (code) insertLink(code, destination, pageTitle)
          }}
        />
      )}
      {picker.value && (
        <PickerDialog
          place={place}
          kind={picker.value}
          onClose={() => (picker.value = undefined)}
          onChoose={(markdown, isBlock) => {
            picker.value = undefined
            const code = editor.getView()
            if (code) (isBlock ? insertBlock : insertText)(code, markdown)
          }}
        />
      )}
    </PageEditor>
  )
}

/** Inserts a link; the selected text is its text. */
function insertLink(view: Parameters<typeof insertText>[0], destination: string, title: string): void {
  const { from, to } = view.state.selection.main
  const text = view.state.sliceDoc(from, to) || title || destination
  const target = /[\s()]/.test(destination) ? `<${destination}>` : destination
  insertText(view, `[${text}](${target})`)
}
