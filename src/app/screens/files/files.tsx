import { useRef, useState } from 'preact/hooks'
import type { RevisionFile } from '../../../contract/revision.ts'
import { useList } from '../../data/list.ts'
import { fillText } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { joinClasses } from '../../ui/classes.ts'
import { LoadMore } from '../../ui/item-list.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ContentFrame } from '../space/content-frame.tsx'
import type { ContentTarget } from '../space/send-changes.ts'
import { addFiles } from './file-actions.ts'
import { FileDialog, FileThumbnail, formatSize } from './file-dialog.tsx'
import { fileTexts as texts } from './file-texts.ts'

/** The images and other files of a space or of a change request. */
export default function FilesScreen({ params }: { params: Readonly<Record<string, string>> }) {
  return (
    <ContentFrame params={params} title={texts.title}>
      {(target, canEdit) => (canEdit ? <UploadArea target={target} /> : <FileGrid target={target} canEdit={false} />)}
    </ContentFrame>
  )
}

/** Files with a button for adding files, which can also be dropped here. */
function UploadArea({ target }: { target: ContentTarget }) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [sent, setSent] = useState<{ name: string; progress: number } | undefined>()
  const [add, isAdding] = useAction((files: readonly File[]) =>
    addFiles(target, files, (name, progress) => setSent(name === undefined ? undefined : { name, progress })),
  )
  return (
    <div
      class={joinClasses('file-area', isOver && 'is-over')}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const files = [...(event.dataTransfer?.files ?? [])]
        if (files.length > 0) void add(files)
      }}
    >
      <div class="toolbar">
        <Button kind="primary" icon="upload" isBusy={isAdding} onClick={() => input.current?.click()}>
          {texts.upload}
        </Button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label={texts.upload}
          onChange={(event) => {
            const files = [...(event.currentTarget.files ?? [])]
            event.currentTarget.value = ''
            if (files.length > 0) void add(files)
          }}
        />
        <span class="quiet" role="status">
          {sent ? fillText(texts.uploading, { name: sent.name }) : isOver ? texts.drop : ''}
        </span>
        {sent && <progress max={1} value={sent.progress} aria-label={sent.name} />}
      </div>
      <FileGrid target={target} canEdit />
    </div>
  )
}

function useFiles({ space, changeRequest }: ContentTarget) {
  const query = { limit: 100 }
  const live = useList(changeRequest === undefined ? 'GET /spaces/{spaceId}/content/files' : undefined, {
    params: { spaceId: space.id },
    query,
  })
  const proposed = useList(
    changeRequest === undefined ? undefined : 'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/files',
    { params: { spaceId: space.id, changeRequestId: changeRequest ?? '' }, query },
  )
  return changeRequest === undefined ? live : proposed
}

function FileGrid({ target, canEdit }: { target: ContentTarget; canEdit: boolean }) {
  const [shownId, setShownId] = useState<string | undefined>()
  const { items, error, reload, ...more } = useFiles(target)
  if (!items) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />
  if (items.length === 0)
    return (
      <EmptyState icon="files" title={texts.empty}>
        {canEdit ? texts.emptyHint : undefined}
      </EmptyState>
    )
  const shown = items.find(({ id }) => id === shownId)
  return (
    <>
      <ul class="file-grid">
        {items.map((file) => (
          <li key={file.id}>
            <FileCard file={file} onSelect={() => setShownId(file.id)} />
          </li>
        ))}
      </ul>
      <LoadMore list={more} />
      {shown && <FileDialog target={target} file={shown} canEdit={canEdit} onClose={() => setShownId(undefined)} />}
    </>
  )
}

function FileCard({ file, onSelect }: { file: RevisionFile; onSelect: () => void }) {
  return (
    <button type="button" class="file-card" onClick={onSelect}>
      <FileThumbnail file={file} />
      <span class="file-name">{file.name}</span>
      <small>{formatSize(file.size)}</small>
    </button>
  )
}
