import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ChangeRequest } from '../../../contract/change-request.ts'
import { appHref } from '../../base-path.ts'
import { guardLeaving, navigate } from '../../router.ts'
import { useShortcuts } from '../../shortcuts.ts'
import { LinkButton, Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ConflictPanel } from './conflict-panel.tsx'
import { DraftNotice } from './draft-notice.tsx'
import { editTexts as texts, toolTexts } from './edit-texts.ts'
import { LinkDialog } from './link-dialog.tsx'
import { OthersHere } from './others-here.tsx'
import { type PagePlace, type PageText, joinPageText, readPageText } from './page-text.ts'
import { PickerDialog } from './picker-dialog.tsx'
import { Preview } from './preview.tsx'
import { SaveLine } from './save-line.tsx'
import { addPageAgain } from './send-page.ts'
import { SettingsDialog } from './settings/settings-dialog.tsx'
import { SlashMenu } from './slash-menu.tsx'
import { insertBlock, insertText } from './text-commands.ts'
import { EditToolbar } from './toolbar.tsx'
import { UploadList } from './upload-list.tsx'
import { useEditor } from './use-editor.ts'

interface PageEditorProps {
  changeRequest: ChangeRequest
  organizationId: string
  place: PagePlace
  initial: PageText
}

/** The title, the Markdown and the preview of a page. */
export function PageEditor({ changeRequest, organizationId, place, initial }: PageEditorProps) {
  const editor = useEditor({ organizationId, place, initial })
  const { saver, title, description, body, position, draft, slashMenu, picker, uploads } = editor
  const view = useSignal<'write' | 'preview'>('write')
  const isLinking = useSignal(false)
  const [settings, setSettings] = useState<PageText>()
  useEffect(() => guardLeaving(() => (saver.isAtRisk ? texts.leave : undefined)), [saver])
  useEffect(() => void saver.refresh().catch(() => undefined), [changeRequest.revision])
  useShortcuts(useMemo(() => [{ keys: 'mod+s', title: toolTexts.save, run: () => void saver.flush() }], [saver]))
  const [openSettings] = useAction(async () => {
    await saver.flush()
    setSettings(await readPageText(place))
  })
  const [addAgain] = useAction(async () => {
    const path = await addPageAgain(place, title.value, body.value)
    saver.abandon()
    if (path !== undefined) navigate(changeRequestPath + path)
  })
  const changeRequestPath = `/spaces/${place.spaceId}/change-requests/${changeRequest.number}`
  const state = saver.state.value
  const isPage = place.kind === 'page'
  return (
    <div class="edit-page">
      <h1 class="sr-only">{title.value}</h1>
      <div class="edit-head">
        <SaveLine
          saver={saver}
          number={changeRequest.number}
          onAddAgain={() => void addAgain()}
          onCopy={() => void copyText(body.value)}
        />
        {isPage && <OthersHere place={place} />}
        <div class="toolbar">
          {isPage && <Button kind="quiet" icon="gear" label={texts.settings} onClick={() => void openSettings()} />}
          <LinkButton href={appHref(`${changeRequestPath}/changes`)}>{texts.viewChanges}</LinkButton>
          <LinkButton href={appHref(changeRequestPath)}>{texts.requestReview}</LinkButton>
        </div>
      </div>
      {draft.value && (
        <DraftNotice
          draft={draft.value}
          body={initial.body}
          onRestore={() => editor.restoreDraft()}
          onDiscard={() => editor.discardDraft()}
        />
      )}
      {state.kind === 'conflict' && (
        <ConflictPanel
          base={state.base.body}
          mine={body.value}
          theirs={state.theirs.body}
          onChoose={(text, side) => {
            editor.replaceText(text, state.theirs.revision)
            if (side === 'both') showToast(texts.bothKept)
          }}
        />
      )}
      <input
        class="edit-title"
        aria-label={texts.title}
        placeholder={texts.untitled}
        maxLength={1000}
        value={title.value}
        onInput={(event) => editor.setField('title', event.currentTarget.value)}
        onBlur={() => saver.blurred()}
      />
      {isPage && (
        <input
          class="edit-description"
          aria-label={texts.description}
          placeholder={texts.descriptionHint}
          maxLength={10_000}
          value={description.value}
          onInput={(event) => editor.setField('description', event.currentTarget.value)}
          onBlur={() => saver.blurred()}
        />
      )}
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
          />
          <UploadList uploads={uploads} />
          <div class="edit-code" ref={editor.host} />
        </div>
        <Preview place={place} markdown={joinPageText(saver.titleLine, body.value)} position={position.value} />
      </div>
      <SlashMenu model={slashMenu} getView={editor.getView} />
      {isLinking.value && (
        <LinkDialog
          place={place}
          number={String(changeRequest.number)}
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
      {settings?.page && (
        <SettingsDialog
          place={place}
          organizationId={organizationId}
          page={settings.page}
          onClose={() => setSettings(undefined)}
          onSaved={() => {
            setSettings(undefined)
            void saver.refresh().catch(() => undefined)
          }}
        />
      )}
    </div>
  )
}

/** Inserts a link; the selected text is its text. */
function insertLink(view: Parameters<typeof insertText>[0], destination: string, title: string): void {
  const { from, to } = view.state.selection.main
  const text = view.state.sliceDoc(from, to) || title || destination
  const target = /[\s()]/.test(destination) ? `<${destination}>` : destination
  insertText(view, `[${text}](${target})`)
}
