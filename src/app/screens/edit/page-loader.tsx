import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ChangeRequest } from '../../../contract/change-request.ts'
import type { Space } from '../../../contract/space.ts'
import { ApiError } from '../../api.ts'
import { editorStorageKey, isMarkdownChosen, preloadVisualEditor } from '../../load-module.ts'
import { ErrorState, Loading } from '../../ui/states.tsx'
import type { CommentsState } from '../comments/comments-state.ts'
import { findDraft } from './drafts.ts'
import type { PageEditorInput } from './page-editor.tsx'
import { type PageFormat, type PagePlace, type PageText, markdownFormat, readPageText } from './page-text.ts'
import { documentFormat } from './document-format.ts'

export interface PageLoaderProps extends Pick<PagePlace, 'pageId' | 'kind'> {
  /** Undefined if the live content is edited. */
  changeRequest: ChangeRequest | undefined
  space: Space
  /** The current revision; undefined while it is read again. */
  revision: string | undefined
  comments: CommentsState
}

type EditorName = PageFormat['name']

/** The editor that was last chosen in this browser. */
const chosenEditor = signal<EditorName>(isMarkdownChosen() ? 'markdown' : 'document')

function chooseEditor(name: EditorName): void {
  chosenEditor.value = name
  localStorage.setItem(editorStorageKey, name)
}

interface PageEditorKind {
  format: PageFormat
  load: () => Promise<{ default: ComponentType<PageEditorInput> }>
}

/** Editors by format; each is loaded when it is opened. */
const editors: Readonly<Record<EditorName, PageEditorKind>> = {
  document: { format: documentFormat, load: () => import('../../editor/visual-editor.tsx') },
  markdown: { format: markdownFormat, load: () => import('./markdown-editor.tsx') },
}

/** Starts to load the chosen editor while the screen reads the location of the page. */
export function preloadEditor(): void {
  preloadVisualEditor()
  editors[chosenEditor.value].load().catch(() => undefined)
}

/** Opens a page in the chosen editor, or in the editor in which its unsent text was written. */
export function PageLoader({ changeRequest, space, revision, comments, pageId, kind }: PageLoaderProps) {
  const place: PagePlace = { spaceId: space.id, changeRequestId: changeRequest?.id, pageId, kind }
  const [name, setName] = useState((): EditorName => {
    // Only pages can be edited in the visual editor.
    if (kind === 'reusable-content') return 'markdown'
    const draft = findDraft(place)
    return draft ? (draft.format ?? 'markdown') : chosenEditor.value
  })
  const [opened, setOpened] = useState<{ name: EditorName; text: PageText; Editor: ComponentType<PageEditorInput> }>()
  const [error, setError] = useState<ApiError>()
  const load = () => {
    const { format, load: loadEditor } = editors[name]
    setError(undefined)
    Promise.all([readPageText(place, format, revision), loadEditor()]).then(
      ([text, { default: Editor }]) => setOpened({ name, text, Editor }),
      (thrown: unknown) => setError(thrown instanceof ApiError ? thrown : new ApiError(0, String(thrown))),
    )
  }
  useEffect(load, [name])
  if (error) return <ErrorState error={error} onRetry={load} />
  if (opened?.name !== name) return <Loading lines={8} />
  const { Editor, text } = opened
  return (
    <Editor
      key={name}
      changeRequest={changeRequest}
      organizationId={space.organization}
      space={space}
      comments={comments}
      place={place}
      initial={text}
      onSwitch={(next) => {
        chooseEditor(next)
        setName(next)
      }}
    />
  )
}
