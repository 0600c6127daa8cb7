import { useState } from 'preact/hooks'
import type { RevisionFile } from '../../../contract/revision.ts'
import { useList } from '../../data/list.ts'
import { useQuery } from '../../data/query.ts'
import { countText, defineTexts, language } from '../../texts.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import { LocationList } from '../links/location-list.tsx'
import { SpaceFrame } from '../space/space-frame.tsx'

const texts = defineTexts('files', {
  title: 'Files',
  empty: 'This space has no files yet',
  emptyHint: 'Paste or drop an image or a file while you edit a page.',
  usedIn: 'Used in',
  unused: 'No page uses this file',
  download: 'Download',
  uses: { one: '{count} place', other: '{count} places' },
})

/** The images and other files of a space. */
export default function FilesScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const spaceId = params['spaceId'] ?? ''
  return (
    <SpaceFrame spaceId={spaceId} crumbs={[{ title: texts.title }]}>
      {() => (
        <>
          <h1 class="screen-title">{texts.title}</h1>
          <FileGrid spaceId={spaceId} />
        </>
      )}
    </SpaceFrame>
  )
}

function FileGrid({ spaceId }: { spaceId: string }) {
  const list = useList('GET /spaces/{spaceId}/content/files', { params: { spaceId }, query: { limit: 100 } })
  const [shown, setShown] = useState<RevisionFile | undefined>()
  const { items, error, hasMore, isLoading, loadMore, reload } = list
  if (!items) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading />
  if (items.length === 0)
    return (
      <EmptyState icon="files" title={texts.empty}>
        {texts.emptyHint}
      </EmptyState>
    )
  return (
    <>
      <ul class="file-grid">
        {items.map((file) => (
          <li key={file.id}>
            <button type="button" class="file-card" onClick={() => setShown(file)}>
              <FileThumbnail file={file} />
              <span class="file-name">{file.name}</span>
              <small>{formatSize(file.size)}</small>
            </button>
          </li>
        ))}
      </ul>
      {hasMore && (
        <Button isBusy={isLoading} onClick={() => void loadMore()}>
          {uiTexts.loadMore}
        </Button>
      )}
      {shown && <FileDialog spaceId={spaceId} file={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

function FileThumbnail({ file }: { file: RevisionFile }) {
  return (
    <span class="file-thumbnail">
      {file.contentType.startsWith('image/') ? (
        <img src={file.downloadURL} alt="" loading="lazy" />
      ) : (
        <Icon name="file" size={28} />
      )}
    </span>
  )
}

function FileDialog({ spaceId, file, onClose }: { spaceId: string; file: RevisionFile; onClose: () => void }) {
  const { dimensions } = file
  const { data, error } = useQuery('GET /spaces/{spaceId}/content/files/{fileId}/backlinks', {
    params: { spaceId, fileId: file.id },
    query: { limit: 100 },
  })
  return (
    <Dialog
      title={file.name}
      onClose={onClose}
      actions={
        <LinkButton href={file.downloadURL} icon="download" download={file.name}>
          {texts.download}
        </LinkButton>
      }
    >
      <FileThumbnail file={file} />
      <p class="quiet">
        {[file.contentType, formatSize(file.size), dimensions && `${dimensions.width} × ${dimensions.height}`]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <h3 class="dialog-title">{texts.usedIn}</h3>
      {error && <ErrorState error={error} />}
      {!data && !error && <Loading lines={2} />}
      {data &&
        (data.items.length === 0 ? (
          <p class="quiet">{texts.unused}</p>
        ) : (
          <>
            <LocationList spaceId={spaceId} locations={data.items} />
            {data.next && <p class="quiet">{countText(texts.uses, data.items.length)}+</p>}
          </>
        ))}
    </Dialog>
  )
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

function formatSize(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const format = { style: 'unit', unit: units[power], maximumFractionDigits: 1, unitDisplay: 'short' } as const
  return new Intl.NumberFormat(language.value, format).format(bytes / 1000 ** power)
}
