import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ChangeRequest } from '../../../contract/change-request.ts'
import type { Space } from '../../../contract/space.ts'
import { appHref } from '../../base-path.ts'
import { invalidate } from '../../data/query.ts'
import { address, guardLeaving, navigate, setQuery } from '../../router.ts'
import { useShortcuts } from '../../shortcuts.ts'
import { Badge } from '../../ui/badge.tsx'
import { LinkButton, Button } from '../../ui/button.tsx'
import { ContentIcon } from '../../ui/content-icon.tsx'
import { copyText } from '../../ui/copy.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { showError, showToast } from '../../ui/toasts.tsx'
import { useAction } from '../../ui/use-action.ts'
import { type CommentsState, setPanelOpen } from '../comments/comments-state.ts'
import { canEditLive } from '../space/can-edit-live.ts'
import { editTexts as texts, toolTexts } from './edit-texts.ts'
import { newPageQuery, toEditorPath, toReadingPath } from './editor-path.ts'
import type { EditorInput, EditorModel } from './editor-model.ts'
import { type PageFormat, type PagePlace, type PageText, readPageText } from './page-text.ts'
import { SaveLine } from './save-line.tsx'
import { addPageAgain } from './send-page.ts'

const ConflictPanel = lazy(async () => (await import('./conflict-panel.tsx')).ConflictPanel)
const CoveredHead = lazy(async () => (await import('./covered-head.tsx')).CoveredHead)
const DraftNotice = lazy(async () => (await import('./draft-notice.tsx')).DraftNotice)
const LiveNotice = lazy(async () => (await import('./live-notice.tsx')).LiveNotice)
const OthersHere = lazy(async () => (await import('./others-here.tsx')).OthersHere, { isDeferred: true })
const SettingsDialog = lazy(async () => (await import('./settings/settings-dialog.tsx')).SettingsDialog)

/** Properties of every editor of a page. */
export interface PageEditorInput extends EditorInput {
  space: Space
  /** The comments beside the page. */
  comments: CommentsState
  /** Undefined if the live content is edited. */
  changeRequest: ChangeRequest | undefined
  /** Opens the page in an editor of another format. */
  onSwitch: (format: PageFormat['name']) => void
}

interface PageEditorProps extends PageEditorInput {
  editor: EditorModel
  /** The text and its tools. */
  children: ComponentChildren
}

const formats = ['document', 'markdown'] as const

/** Frame of all editors: saving status, title, unsent text and conflicts. */
export function PageEditor(props: PageEditorProps) {
  const { changeRequest, organizationId, space, place, initial, editor, comments, onSwitch, children } = props
  const { saver, title, description, body, draft, format } = editor
  const [settings, setSettings] = useState<PageText>()
  const [page, setPage] = useState(initial.page)
  useEffect(() => guardLeaving(() => (saver.isAtRisk ? texts.leave : undefined)), [saver])
  const { revision } = changeRequest ?? space
  useEffect(() => void saver.refresh(revision).catch(() => undefined), [revision])
  useLiveAccess(props)
  const titleField = useNewTitle()
  useShortcuts(useMemo(() => [{ keys: 'mod+s', title: toolTexts.save, run: () => void saver.flush() }], [saver]))
  const [openSettings] = useAction(async () => {
    await saver.flush()
    setSettings(await readPageText(place, format))
  })
  const [addAgain] = useAction(async () => {
    const pageId = await addPageAgain(place, title.value, body.value, format)
    saver.abandon()
    if (pageId !== undefined) navigate(toEditorPath({ ...place, pageId }, changeRequest?.number))
  })
  const [switchTo] = useAction(async (name: PageFormat['name']) => {
    await saver.flush()
    if (saver.state.value.kind === 'saved') onSwitch(name)
  })
  const state = saver.state.value
  const isHalted = state.kind === 'halted'
  const isPage = place.kind === 'page'
  const copy = () => void copyText(format.toLines(body.value))
  const head = (
    <>
      <div class="edit-title-row">
        <ContentIcon emoji={page?.emoji} icon={page?.icon} />
        <GrowingField
          field={titleField}
          class="edit-title"
          label={texts.title}
          hint={texts.untitled}
          maxLength={1000}
          value={title.value}
          onInput={(value) => editor.setField('title', value)}
          onBlur={() => saver.blurred()}
        />
      </div>
      {isPage && (
        <GrowingField
          class="edit-description"
          label={texts.description}
          hint={texts.descriptionHint}
          maxLength={10_000}
          value={description.value}
          onInput={(value) => editor.setField('description', value)}
          onBlur={() => saver.blurred()}
        />
      )}
    </>
  )
  return (
    <div class="edit-page">
      <h1 class="sr-only">{title.value}</h1>
      <div class="edit-head">
        <div class="edit-state">
          {!changeRequest && !isHalted && <Badge tone="success">{texts.live}</Badge>}
          <SaveLine saver={saver} number={changeRequest?.number} onAddAgain={() => void addAgain()} onCopy={copy} />
          {isPage && <OthersHere place={place} block={editor.block} />}
        </div>
        {isPage && (
          <div class="edit-formats" role="group" aria-label={texts.formats}>
            {formats.map((name) => (
              <button
                key={name}
                type="button"
                aria-pressed={format.name === name}
                disabled={isHalted}
                onClick={() => format.name !== name && void switchTo(name)}
              >
                {texts[name]}
              </button>
            ))}
          </div>
        )}
        <div class="toolbar">
          {isPage && comments.isOpen.value !== true && (
            <Button kind="quiet" icon="message" label={texts.comments} onClick={() => setPanelOpen(comments, true)} />
          )}
          {isPage && !isHalted && (
            <Button kind="quiet" icon="gear" label={texts.settings} onClick={() => void openSettings()} />
          )}
          <NextSteps place={place} changeRequest={changeRequest} />
        </div>
      </div>
      {!changeRequest && (
        <LiveNotice
          space={space}
          place={place}
          readUnsaved={() => saver.unsaved}
          onCopy={copy}
          onMoved={() => saver.abandon()}
        />
      )}
      {draft.value && (
        <DraftNotice
          draft={draft.value}
          body={initial.body}
          format={format}
          onRestore={() => editor.restoreDraft()}
          onDiscard={() => editor.discardDraft()}
        />
      )}
      {state.kind === 'conflict' && (
        <ConflictPanel
          format={format}
          base={state.base.body}
          mine={body.value}
          theirs={state.theirs.body}
          onChoose={(text, side) => {
            editor.replaceText(text, state.theirs.revision)
            if (side === 'both') showToast(texts.bothKept)
          }}
        />
      )}
      {page?.cover && page.layout.cover ? <CoveredHead place={place}>{head}</CoveredHead> : <header>{head}</header>}
      {children}
      {settings?.page && (
        <SettingsDialog
          place={place}
          organizationId={organizationId}
          page={settings.page}
          onClose={() => setSettings(undefined)}
          onSaved={() => {
            setSettings(undefined)
            void saver.refresh().catch(() => undefined)
            void readPageText(place, format).then((text) => setPage(text.page), showError)
          }}
        />
      )}
    </div>
  )
}

interface GrowingFieldProps {
  field?: RefObject<HTMLTextAreaElement | null>
  class: string
  label: string
  hint: string
  maxLength: number
  value: string
  onInput: (value: string) => void
  onBlur: () => void
}

/** A field for a text without line breaks that is as high as its lines, as readers see it. */
function GrowingField({ field, class: className, label, hint, onInput, ...props }: GrowingFieldProps) {
  return (
    <div class={`edit-field ${className}`} data-text={props.value || hint} dir="auto">
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        aria-label={label}
        placeholder={hint}
        {...props}
        onInput={(event) => onInput(event.currentTarget.value.replace(/\s*\n\s*/g, ' '))}
        onKeyDown={leaveField}
      />
    </div>
  )
}

/** Selects the title of a new page, so that typing replaces it. */
function useNewTitle(): RefObject<HTMLTextAreaElement | null> {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (!address.value.query.has(newPageQuery)) return
    field.current?.select()
    setQuery(newPageQuery, undefined)
  }, [])
  return field
}

/**
 * Moves the focus from the title or the description to the text with Enter, and to the field above or below with the arrow keys at
 * the ends of the field.
 */
function leaveField(event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }): void {
  const { key, currentTarget: field, isComposing } = event
  const isAtEnd = field.selectionStart === field.value.length
  const by = { ArrowDown: isAtEnd ? 1 : 0, ArrowUp: field.selectionEnd === 0 ? -1 : 0 }[key] ?? 0
  // With Shift, the arrow keys select.
  if (isComposing || (key !== 'Enter' && (by === 0 || event.shiftKey))) return
  event.preventDefault()
  const page = field.closest('.edit-page')
  const fields = [...(page?.querySelectorAll<HTMLElement>('.edit-field > textarea, [contenteditable="true"]') ?? [])]
  const text = fields.findIndex((one) => one.isContentEditable)
  fields[key === 'Enter' ? text : fields.indexOf(field) + by]?.focus()
}

/** Stops saving while the live content cannot be edited. */
function useLiveAccess({ changeRequest, space, editor: { saver } }: PageEditorProps): void {
  const isHalted = !changeRequest && !canEditLive(space)
  const state = saver.state.value
  const isRefused = !changeRequest && state.kind === 'failed' && [403, 409].includes(state.error.status)
  useEffect(() => void saver.setHalted(isHalted), [isHalted])
  // The refused request may be answered before the event about the change of the space arrives.
  useEffect(() => {
    if (isRefused) invalidate(`/spaces/${space.id}`)
  }, [isRefused])
}

/** Links to the steps after editing. */
function NextSteps({ place, changeRequest }: { place: PagePlace; changeRequest: ChangeRequest | undefined }) {
  if (!changeRequest) return <LinkButton href={appHref(toReadingPath(place))}>{texts.done}</LinkButton>
  const path = `/spaces/${place.spaceId}/change-requests/${changeRequest.number}`
  return (
    <>
      <LinkButton href={appHref(`${path}/changes`)}>{texts.viewChanges}</LinkButton>
      <LinkButton href={appHref(path)}>{texts.requestReview}</LinkButton>
    </>
  )
}
