import { useMemo, useState } from 'preact/hooks'
import type { ChangeRequest } from '../../../../contract/change-request.ts'
import type { Comment } from '../../../../contract/comment.ts'
import type { RenderedPage } from '../../../../contract/rendered.ts'
import type { Space } from '../../../../contract/space.ts'
import { useQuery } from '../../../data/query.ts'
import { useShortcuts } from '../../../shortcuts.ts'
import { countText } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { joinClasses } from '../../../ui/classes.ts'
import { Icon } from '../../../ui/icon.tsx'
import { lazy } from '../../../ui/lazy.tsx'
import { RenderedContent } from '../../../ui/rendered-content.tsx'
import { ErrorState, Loading } from '../../../ui/states.tsx'
import { paramsOf } from '../use-change-request.ts'
import type { ChangeEntry } from './entries.ts'
import { type RenderedBlock, foldUnchanged, splitBlocks, toSide } from './split-blocks.ts'
import { texts } from './texts.ts'
import { usePageComments } from './use-page-comments.ts'
import { viewMode } from './view-mode.ts'

const BlockComments = lazy(async () => (await import('./block-comments.tsx')).BlockComments)

interface PageComparisonProps {
  changeRequest: ChangeRequest
  space: Space
  entry: ChangeEntry
  comparedWith: string | undefined
}

/** Shows a page with added, changed and removed content, in one column or in two. */
export function PageComparison({ changeRequest, space, entry, comparedWith = 'base' }: PageComparisonProps) {
  const { data, error, reload } = useQuery(
    'GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/html',
    { params: { ...paramsOf(changeRequest), pageId: entry.id }, query: { comparedWith } },
  )
  if (!data) return error ? <ErrorState error={error} onRetry={() => void reload()} /> : <Loading lines={8} />
  return <Comparison changeRequest={changeRequest} space={space} page={data} onIncomplete={() => void reload()} />
}

interface ComparisonProps {
  changeRequest: ChangeRequest
  space: Space
  page: RenderedPage
  onIncomplete: () => void
}

function Comparison({ changeRequest, space, page, onIncomplete }: ComparisonProps) {
  const blocks = useMemo(() => splitBlocks(page.html), [page.html])
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [commented, setCommented] = useState<string | undefined>(undefined)
  const comments = usePageComments(changeRequest, page.id)
  const rows = useMemo(() => foldUnchanged(blocks, opened), [blocks, opened])
  const canComment = changeRequest.permissions.comment && page.isDeleted !== true
  useShortcuts(
    canComment
      ? [
          {
            keys: 'c',
            title: texts.commentOnFirst,
            run: () => setCommented(findFocusedBlock() ?? findFirstChanged(blocks)),
          },
        ]
      : [],
  )
  if (blocks.length === 0) return <p class="quiet">{texts.noContent}</p>
  const isDouble = viewMode.value === 'side-by-side'
  const hasChanges = blocks.some(({ isChanged }) => isChanged)
  return (
    <div class={joinClasses('cr-comparison', isDouble && 'is-double')} dir={directionOf(page.title)}>
      {!hasChanges && <p class="quiet">{texts.onlyFields}</p>}
      {isDouble && (
        <div class="cr-row cr-row-head" aria-hidden="true">
          <span>{texts.before}</span>
          <span>{texts.after}</span>
        </div>
      )}
      {rows.map((row) =>
        row.kind === 'fold' ? (
          <button
            key={`fold-${row.key}`}
            type="button"
            class="cr-fold"
            onClick={() => setOpened(new Set([...opened, row.key]))}
          >
            <Icon name="dots" />
            {countText(texts.unchanged, row.blocks.length)}
          </button>
        ) : (
          <div
            key={row.block.key}
            class={joinClasses('cr-row', row.block.isChanged && 'is-changed')}
            data-row={row.block.key}
            {...(row.block.isChanged && { tabIndex: 0, role: 'group', 'aria-label': texts.changedBlock })}
          >
            <BlockCells block={row.block} page={page} isDouble={isDouble} onIncomplete={onIncomplete} />
            {canComment && row.block.blockKeys.length > 0 && (
              <CommentButton onClick={() => setCommented(row.block.key)} />
            )}
            {(commented === row.block.key || comments.some((comment) => isAbout(comment, row.block))) && (
              <BlockComments
                changeRequest={changeRequest}
                space={space}
                pageId={page.id}
                block={row.block}
                comments={comments.filter((comment) => isAbout(comment, row.block))}
                isWriting={commented === row.block.key}
                onClose={() => setCommented(undefined)}
              />
            )}
          </div>
        ),
      )}
    </div>
  )
}

/** Starts a comment on a block. */
const CommentButton = ({ onClick }: { onClick: () => void }) => (
  <span class="cr-comment-button">
    <Button kind="quiet" icon="message-plus" label={texts.comment} onClick={onClick} />
  </span>
)

const isAbout = ({ target }: Comment, { blockKeys }: RenderedBlock): boolean =>
  target.node !== undefined && blockKeys.includes(target.node.id)

interface BlockCellsProps {
  block: RenderedBlock
  page: RenderedPage
  isDouble: boolean
  onIncomplete: () => void
}

/**
 * Shows a block once with its marks, or twice: styles hide content that was added on one side, and content that was removed on the
 * other.
 */
function BlockCells({ block, page, isDouble, onIncomplete }: BlockCellsProps) {
  const { styles, scripts, complete } = page
  const shown = { html: block.html, styles, scripts, complete }
  if (!isDouble) return <RenderedContent class="cr-cell" page={shown} isBlock onIncomplete={onIncomplete} />
  return (
    <>
      <RenderedContent class="cr-cell cr-cell-before" page={{ ...shown, html: toSide(block.html, 'before') }} isBlock />
      <RenderedContent
        class="cr-cell cr-cell-after"
        page={{ ...shown, html: toSide(block.html, 'after') }}
        isBlock
        onIncomplete={onIncomplete}
      />
    </>
  )
}

/** Letters of scripts that are written from right to left, such as Arabic and Hebrew. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/

/** Returns the direction of a text by its first letter. */
const directionOf = (text: string): 'rtl' | 'ltr' => (rightToLeft.test(/\p{L}/u.exec(text)?.[0] ?? '') ? 'rtl' : 'ltr')

/** Returns the key of the block that has the focus. */
const findFocusedBlock = (): string | undefined =>
  document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row']

const findFirstChanged = (blocks: readonly RenderedBlock[]): string | undefined =>
  blocks.find(({ isChanged, blockKeys }) => isChanged && blockKeys.length > 0)?.key
