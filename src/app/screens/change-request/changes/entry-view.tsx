import type { ChangeRequest } from '../../../../contract/change-request.ts'
import type { Space } from '../../../../contract/space.ts'
import { appHref } from '../../../base-path.ts'
import { fillText } from '../../../texts.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { isActive, screenPath } from '../use-change-request.ts'
import { Stats, describeKind, titleOf } from './changes-list.tsx'
import type { ChangeEntry, EntryKind } from './entries.ts'
import { FieldChanges } from './field-changes.tsx'
import { FileChange } from './file-change.tsx'
import { PageComparison } from './page-comparison.tsx'
import { ReusableContentChange } from './reusable-content-change.tsx'
import { texts } from './texts.ts'
import { setViewMode, viewMode } from './view-mode.ts'

interface EntryViewProps {
  changeRequest: ChangeRequest
  space: Space
  entry: ChangeEntry
  /** Revision to compare with instead of the base. */
  comparedWith: string | undefined
  isReviewed: boolean
  onReviewed: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

const tones: Record<EntryKind, 'success' | 'accent' | 'danger' | 'neutral'> = {
  added: 'success',
  edited: 'accent',
  deleted: 'danger',
  moved: 'neutral',
}

/** Shows one changed page, file, reusable content, tag, or the variables. */
export function EntryView(props: EntryViewProps) {
  const { changeRequest, space, entry, comparedWith, isReviewed, onReviewed, onPrevious, onNext } = props
  const { subject, kind, added, removed, fields, hasContent } = entry
  const isPage = subject === 'page'
  const label = {
    file: texts.file,
    'reusable-content': texts.reusableContent,
    tag: texts.tag,
    page: undefined,
    variables: undefined,
  }[subject]
  const isText = isPage || subject === 'reusable-content'
  const canEdit = isText && kind !== 'deleted' && changeRequest.permissions.edit && isActive(changeRequest)
  return (
    <article class="cr-entry-view">
      <header class="cr-entry-head">
        <h2>{titleOf(entry)}</h2>
        {label !== undefined && <Badge>{label}</Badge>}
        <Badge tone={tones[kind]}>{describeKind(entry)}</Badge>
        {entry.move && kind !== 'moved' && <Badge>{texts.moved}</Badge>}
        <Stats added={added} removed={removed} />
        <span class="toolbar cr-entry-tools">
          {isPage && hasContent && <ViewSwitch />}
          {canEdit && (
            <LinkButton
              icon="edit"
              kind="quiet"
              href={appHref(screenPath(changeRequest, `/${isPage ? 'pages' : 'reusable'}/${entry.id}`))}
            >
              {texts.editPage}
            </LinkButton>
          )}
          <Button
            kind="quiet"
            icon="chevron-up"
            label={texts.previous}
            disabled={onPrevious === undefined}
            onClick={onPrevious}
          />
          <Button
            kind="quiet"
            icon="chevron-down"
            label={texts.next}
            disabled={onNext === undefined}
            onClick={onNext}
          />
          <label class="cr-reviewed">
            <input type="checkbox" checked={isReviewed} onChange={onReviewed} />
            {texts.reviewed}
          </label>
        </span>
      </header>
      <MoveNotice entry={entry} />
      <FieldChanges fields={fields} />
      {isPage && hasContent && (
        <PageComparison
          key={comparedWith}
          changeRequest={changeRequest}
          space={space}
          entry={entry}
          comparedWith={comparedWith}
        />
      )}
      {subject === 'file' && <FileChange changeRequest={changeRequest} entry={entry} comparedWith={comparedWith} />}
      {subject === 'reusable-content' && (
        <ReusableContentChange changeRequest={changeRequest} entry={entry} comparedWith={comparedWith} />
      )}
    </article>
  )
}

function ViewSwitch() {
  const mode = viewMode.value
  return (
    <span class="cr-switch" role="group" aria-label={texts.view}>
      <button type="button" aria-pressed={mode === 'inline'} onClick={() => setViewMode('inline')}>
        {texts.inline}
      </button>
      <button type="button" aria-pressed={mode === 'side-by-side'} onClick={() => setViewMode('side-by-side')}>
        {texts.sideBySide}
      </button>
    </span>
  )
}

function MoveNotice({ entry: { move } }: { entry: ChangeEntry }) {
  if (!move) return null
  const from = move.from?.title ?? texts.topLevel
  const to = move.to?.title ?? texts.topLevel
  return (
    <p class="cr-notice">
      <Icon name="arrow-right" />
      {move.from?.id === move.to?.id ? fillText(texts.movedWithin, { to }) : fillText(texts.movedFromTo, { from, to })}
    </p>
  )
}
