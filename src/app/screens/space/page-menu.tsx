import { useState } from 'preact/hooks'
import type { RevisionPage } from '../../../contract/revision.ts'
import type { Space } from '../../../contract/space.ts'
import { request } from '../../api.ts'
import { appHref } from '../../base-path.ts'
import { useQuery } from '../../data/query.ts'
import { useOrganization } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Loading } from '../../ui/states.tsx'
import { copyText } from '../../ui/copy.tsx'
import { uiTexts } from '../../ui/ui-texts.ts'
import { useAction } from '../../ui/use-action.ts'
import { useFollowItems } from '../notifications/use-follow.ts'
import { viewAsTexts } from '../view-as/view-as-texts.ts'
import { findAncestors } from './page-rows.ts'
import { pageTexts } from './page-texts.ts'
import { copyPageLink, deletePage } from './tree-actions.ts'
import { findPage } from './tree-moves.ts'
import { usePages } from './use-pages.ts'

interface PageMenuProps {
  space: Space
  page: RevisionPage
  /** Opens the form for viewing the page as a visitor. */
  onViewAs: () => void
}

/** Further actions for a page. */
export function PageMenu({ space, page, onViewAs }: PageMenuProps) {
  const [isMarkdownShown, setMarkdownShown] = useState(false)
  const { data: tree } = usePages(space.id)
  const [run] = useAction((action: () => Promise<void>) => action())
  const treePage = tree && findPage(tree.pages, page.id)
  const follow = useFollowItems(space.id, [{ targetPage: page.id }, {}])
  const { published } = space.urls
  const canCreate = useOrganization(space.organization)?.permissions.createContent === true
  const path = 'path' in page ? page.path : undefined
  const remove = async () => {
    if (!tree || !treePage) return
    const parent = findAncestors(tree.pages, page.id)?.at(-1)
    await deletePage(
      { space, changeRequest: undefined },
      treePage,
      parent === undefined ? undefined : findPage(tree.pages, parent),
    )
  }
  return (
    <>
      <Menu
        kind="secondary"
        icon="dots"
        label={uiTexts.more}
        onOpen={follow.onOpen}
        items={[
          ...follow.items,
          { title: pageTexts.copyLink, icon: 'link', onSelect: () => void run(() => copyPageLink(space.id, page.id)) },
          { title: pageTexts.copyId, icon: 'copy', onSelect: () => void run(() => copyText(page.id)) },
          page.type === 'document' && { title: viewAsTexts.viewAs, icon: 'eye', onSelect: onViewAs },
          page.type === 'document' && {
            title: pageTexts.viewMarkdown,
            icon: 'markdown',
            onSelect: () => setMarkdownShown(true),
          },
          page.type === 'document' && {
            title: pageTexts.pdf,
            icon: 'file-text',
            onSelect: () => void run(() => openPdf(space.id, page.id)),
          },
          published !== undefined &&
            path !== undefined && {
              title: pageTexts.openPublished,
              icon: 'external-link',
              href: `${published.replace(/\/$/, '')}/${path}`,
            },
          space.permissions.admin &&
            canCreate && {
              title: pageTexts.saveTemplate,
              icon: 'template',
              href: appHref(`/orgs/${space.organization}/templates?save=${space.id}`),
            },
          space.permissions.edit &&
            treePage !== undefined && {
              title: pageTexts.remove,
              icon: 'trash',
              isDangerous: true,
              startsGroup: true,
              onSelect: () => void run(remove),
            },
        ]}
      />
      {isMarkdownShown && (
        <MarkdownDialog spaceId={space.id} pageId={page.id} onClose={() => setMarkdownShown(false)} />
      )}
    </>
  )
}

async function openPdf(spaceId: string, pageId: string): Promise<void> {
  // Browsers open windows only while they handle a click.
  const tab = window.open('', '_blank')
  try {
    const { url } = await request('GET /spaces/{spaceId}/pdf', { params: { spaceId }, query: { page: pageId } })
    tab?.location.replace(url)
  } catch (error) {
    tab?.close()
    throw error
  }
}

function MarkdownDialog({ spaceId, pageId, onClose }: { spaceId: string; pageId: string; onClose: () => void }) {
  const { data } = useQuery('GET /spaces/{spaceId}/content/page/{pageId}', {
    params: { spaceId, pageId },
    query: { format: 'markdown', metadata: false },
  })
  const markdown = data && 'markdown' in data ? (data.markdown ?? '') : undefined
  const [copy] = useAction(() => copyText(markdown ?? ''))
  return (
    <Dialog
      title={pageTexts.viewMarkdown}
      isWide
      onClose={onClose}
      actions={
        <Button kind="primary" icon="copy" disabled={markdown === undefined} onClick={() => void copy()}>
          {pageTexts.copy}
        </Button>
      }
    >
      {markdown === undefined ? (
        <Loading />
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls it
        <pre class="markdown-source" tabIndex={0}>
          {markdown}
        </pre>
      )}
    </Dialog>
  )
}
