import type { ChangeRequest } from '../../../../contract/change-request.ts'
import { useQuery } from '../../../data/query.ts'
import { LinkButton } from '../../../ui/button.tsx'
import type { ChangeEntry } from './entries.ts'
import { texts } from './texts.ts'

interface FileChangeProps {
  changeRequest: ChangeRequest
  entry: ChangeEntry
  /** Revision to compare with instead of the base. */
  comparedWith: string | undefined
}

/** Shows a changed file; pictures are shown before and after the change. */
export function FileChange({ changeRequest, entry, comparedWith }: FileChangeProps) {
  const { file, kind } = entry
  const { space, revisionMergedAncestor, revisionInitial } = changeRequest
  const { data: old } = useQuery(
    kind === 'edited' ? 'GET /spaces/{spaceId}/revisions/{revisionId}/files/{fileId}' : undefined,
    {
      params: {
        spaceId: space,
        revisionId: comparedWith ?? revisionMergedAncestor ?? revisionInitial,
        fileId: entry.id,
      },
    },
  )
  if (!file) return null
  const isPicture = file.contentType.startsWith('image/')
  const before = kind === 'deleted' ? file.downloadURL : old?.downloadURL
  const after = kind === 'deleted' ? undefined : file.downloadURL
  return (
    <>
      {isPicture && (
        <div class="cr-pictures">
          {before !== undefined && <Picture url={before} title={texts.imageBefore} kind="removed" />}
          {after !== undefined && <Picture url={after} title={texts.imageAfter} kind="added" />}
        </div>
      )}
      {after !== undefined && (
        <LinkButton icon="download" href={after} download>
          {texts.download}
        </LinkButton>
      )}
    </>
  )
}

function Picture({ url, title, kind }: { url: string; title: string; kind: 'added' | 'removed' }) {
  return (
    <figure class={`cr-picture cr-picture-${kind}`}>
      <figcaption>{title}</figcaption>
      <img src={url} alt={title} loading="lazy" />
    </figure>
  )
}
