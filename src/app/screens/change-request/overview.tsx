import { useEffect } from 'preact/hooks'
import type { ChangeRequest } from '../../../contract/change-request.ts'
import type { Space } from '../../../contract/space.ts'
import { appHref } from '../../base-path.ts'
import { address } from '../../router.ts'
import { fillText } from '../../texts.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { ChangeRequestFrame } from './change-request-frame.tsx'
import { useChanges } from './changes/use-changes.ts'
import { Checklist } from './checklist.tsx'
import { Description } from './description.tsx'
import { Links } from './links.tsx'
import { texts as overviewTexts } from './overview-texts.ts'
import { Contributors, Reviewers } from './people.tsx'
import { texts } from './texts.ts'
import { isActive } from './use-change-request.ts'

const Activity = lazy(async () => (await import('./activity.tsx')).Activity)

/** Overview of a change request: its description, the conditions for merging it, and its history. */
export default function OverviewScreen({ params }: { params: Readonly<Record<string, string>> }) {
  return (
    <ChangeRequestFrame params={params} isWide>
      {(changeRequest, space) => <Overview changeRequest={changeRequest} space={space} />}
    </ChangeRequestFrame>
  )
}

function Overview({ changeRequest, space }: { changeRequest: ChangeRequest; space: Space }) {
  useScrollToComments()
  return (
    <div class="cr-overview">
      <div class="cr-overview-main">
        {changeRequest.status === 'merged' && <MergedNotice changeRequest={changeRequest} space={space} />}
        {changeRequest.status === 'archived' && (
          <div class="cr-notice-box">
            <Icon name="archive" size={20} />
            <div>
              <strong>{texts.archivedTitle}</strong>
              <p>{texts.archivedText}</p>
            </div>
          </div>
        )}
        <Description changeRequest={changeRequest} />
        {isActive(changeRequest) && <Checklist changeRequest={changeRequest} />}
        <section class="section" id="comments">
          <h2>{overviewTexts.activity}</h2>
          <Activity changeRequest={changeRequest} space={space} />
        </section>
      </div>
      <div class="cr-overview-side">
        <Reviewers changeRequest={changeRequest} />
        <Contributors changeRequest={changeRequest} />
        <Links changeRequest={changeRequest} />
      </div>
    </div>
  )
}

/** Shows that the changes are live, with links to them, and how to undo them. */
function MergedNotice({ changeRequest, space }: { changeRequest: ChangeRequest; space: Space }) {
  const { entries } = useChanges(changeRequest)
  const page = entries?.find(({ subject, kind, hasContent }) => subject === 'page' && kind !== 'deleted' && hasContent)
  const { published } = space.urls
  return (
    <div class="cr-notice-box cr-notice-success" role="status">
      <Icon name="git-merge" size={20} />
      <div>
        <strong>{texts.mergedTitle}</strong>
        <p>{fillText(texts.mergedText, { name: changeRequest.mergedBy?.displayName ?? '' })}</p>
        <p class="toolbar">
          {page && (
            <LinkButton icon="file-text" href={appHref(`/spaces/${space.id}/pages/${page.id}`)}>
              {texts.openLive}
            </LinkButton>
          )}
          {published !== undefined && (
            <LinkButton icon="external-link" href={published} target="_blank" rel="noopener">
              {texts.openSite}
            </LinkButton>
          )}
          <LinkButton icon="history" href={appHref(`/spaces/${space.id}/history`)}>
            {texts.openHistory}
          </LinkButton>
        </p>
      </div>
    </div>
  )
}

/** Scrolls to the comments if the address is that of the tab for comments. */
function useScrollToComments(): void {
  const { hash } = address.value
  useEffect(() => {
    if (hash === 'comments') document.getElementById(hash)?.scrollIntoView()
  }, [hash])
}
