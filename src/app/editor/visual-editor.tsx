import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { toolTexts } from '../screens/edit/edit-texts.ts'
import { toEditorPath } from '../screens/edit/editor-path.ts'
import { PageEditor, type PageEditorInput } from '../screens/edit/page-editor.tsx'
import { viewAsTexts } from '../screens/view-as/view-as-texts.ts'
import { readVisitorClaims } from '../screens/view-as/visitor-claims.ts'
import { Button } from '../ui/button.tsx'
import { lazy } from '../ui/lazy.tsx'
import { Menu } from '../ui/menu.tsx'
import { useAction } from '../ui/use-action.ts'
import { useAnnotations } from './annotations/use-annotations.ts'
import { blockTools } from './blocks/block-tools.ts'
import { editorTexts } from './editor-texts.ts'
import { findLink, insertLink, toAddress } from './links.ts'
import { listBlockChoices } from './insertions.ts'
import { MarkButtons, SelectionToolbar, keepFocus } from './selection-toolbar.tsx'
import { useVisualEditor } from './use-visual-editor.ts'
import { useVisitor } from './visitor/use-visitor.ts'

const BlockMenu = lazy(async () => (await import('./blocks/block-menu.tsx')).BlockMenu, { isDeferred: true })
const TableMenu = lazy(async () => (await import('./table/table-menu.tsx')).TableMenu, { isDeferred: true })
const WordCount = lazy(async () => (await import('./word-count.tsx')).WordCount, { isDeferred: true })
const OthersInText = lazy(async () => (await import('./others/others-in-text.tsx')).OthersInText, { isDeferred: true })
const ViewAs = lazy(async () => (await import('../screens/view-as/view-as.tsx')).ViewAs)
const FindBar = lazy(async () => (await import('./find/find-bar.tsx')).FindBar)
const EditorFormDialog = lazy(async () => (await import('./forms/editor-form.tsx')).EditorFormDialog)
const BlockList = lazy(async () => (await import('../screens/edit/block-list.tsx')).BlockList)
const UploadList = lazy(async () => (await import('../screens/edit/upload-list.tsx')).UploadList)
const LinkDialog = lazy(async () => (await import('../screens/edit/link-dialog.tsx')).LinkDialog)

/** Edits a page as it is published. */
export default function VisualEditor(input: PageEditorInput) {
  const { changeRequest, place, organizationId, space, comments } = input
  const number = changeRequest && String(changeRequest.number)
  const editor = useVisualEditor(input)
  const { lists, isFinding, isLinking, uploads, form, getView } = editor
  const current = getView()
  const commented = useAnnotations(editor, place, space, comments)
  const isPageHidden = useVisitor(editor, place, input.initial.page)
  const isViewingAs = useSignal(false)
  // The query is kept while the search is closed.
  const wasFinding = useRef(false)
  wasFinding.current ||= isFinding.value
  const [copy] = useAction(editor.copyMarkdown)
  const link = isLinking.value && current ? findLink(current.state) : undefined
  const openLink = () => (isLinking.value = true)
  return (
    <PageEditor {...input} editor={editor}>
      <div class="edit-tools visual-tools" role="group" aria-label={toolTexts.toolbar}>
        <MarkButtons editor={editor} onLink={openLink} />
        <Button
          kind="quiet"
          icon="photo"
          label={toolTexts.file}
          onMouseDown={keepFocus}
          onClick={() => editor.fileInput.current?.click()}
        />
        <Menu
          label={toolTexts.insert}
          items={listBlockChoices().map(({ title, icon, run }) => ({
            title,
            icon,
            onSelect: () => {
              const view = getView()
              if (!view) return
              view.focus()
              run(view.state, view.dispatch, view)
            },
          }))}
        >
          {toolTexts.insert}
        </Menu>
        <Button kind="quiet" icon="search" label={editorTexts.find} onClick={() => (isFinding.value = true)} />
        <Button
          kind="quiet"
          icon="markdown"
          label={editorTexts.copyMarkdown}
          onMouseDown={keepFocus}
          onClick={() => void copy()}
        />
        <Button kind="quiet" icon="eye" label={viewAsTexts.viewAs} onClick={() => (isViewingAs.value = true)} />
        <input
          ref={editor.fileInput}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            getView()?.focus()
            void editor.addFiles([...(event.currentTarget.files ?? [])])
            event.currentTarget.value = ''
          }}
        />
      </div>
      {(isViewingAs.value || readVisitorClaims() !== undefined) && (
        <ViewAs space={space} isOpen={isViewingAs} isPageHidden={isPageHidden} />
      )}
      {wasFinding.current && <FindBar editor={editor} isOpen={isFinding} />}
      {uploads.value.length > 0 && <UploadList uploads={uploads} />}
      <div class="visual-editor">
        <div ref={editor.host} />
        <BlockMenu
          editor={editor}
          tools={blockTools}
          path={toEditorPath(place, number)}
          {...((changeRequest ?? space).permissions.comment && { comments })}
          commented={commented}
        />
        <TableMenu editor={editor} />
        <OthersInText editor={editor} tools={blockTools} place={place} />
      </div>
      <WordCount editor={editor} words={editorTexts.words} />
      <SelectionToolbar editor={editor} onLink={openLink} place={place} number={number} />
      {lists.map(({ label, list }) => (
        <BlockList
          key={label}
          open={list.state.value}
          label={label}
          onChoose={(index) => {
            const view = getView()
            if (view) list.choose(view, index)
          }}
        />
      ))}
      {form.value && current && (
        <EditorFormDialog
          form={form.value}
          getForm={() => form.peek()}
          view={current}
          renderer={editor.renderer}
          toNodes={editor.toNodes}
          place={place}
          organizationId={organizationId}
          number={number}
          onClose={() => (form.value = undefined)}
        />
      )}
      {isLinking.value && (
        <LinkDialog
          place={place}
          number={number}
          initial={link && toAddress(link.mark)}
          onClose={() => {
            isLinking.value = false
            getView()?.focus()
          }}
          onInsert={(destination, title, pageId) => {
            isLinking.value = false
            const view = getView()
            if (view) insertLink(view, destination, title, pageId)
          }}
        />
      )}
    </PageEditor>
  )
}
