import type { ComponentChildren } from 'preact'
import type { RenderedPage } from '../../../contract/rendered.ts'
import { appHref } from '../../base-path.ts'
import { Icon } from '../../ui/icon.tsx'
import { toEmoji } from '../organization/space-rows.ts'
import { type OrderedPage, findNeighbors } from './page-order.ts'
import { pageTexts } from './page-texts.ts'

/** The head of a page: cover, title, description and tags. */
export function PageHead({ page, actions }: { page: RenderedPage; actions?: ComponentChildren }) {
  const { title, description, emoji, cover, tags = [] } = page
  return (
    <header class="read-head">
      {cover && (
        <div class="read-cover">
          <img class={cover.dark === undefined ? undefined : 'only-light'} src={cover.light} alt="" />
          {cover.dark !== undefined && <img class="only-dark" src={cover.dark} alt="" />}
        </div>
      )}
      <div class="read-title-row">
        <h1 class="read-title">
          {emoji !== undefined && <span class="emoji">{toEmoji(emoji)} </span>}
          {title}
        </h1>
        {actions}
      </div>
      {description !== undefined && description !== '' && <p class="read-lead">{description}</p>}
      {tags.length > 0 && (
        <ul class="read-tags">
          {tags.map(({ slug, label, emoji: symbol }) => (
            <li key={slug} class="ui-badge">
              {toEmoji(symbol)} {label}
            </li>
          ))}
        </ul>
      )}
    </header>
  )
}

/** Links to the sections of a page. */
export function PageOutline({ outline }: { outline: RenderedPage['outline'] }) {
  if (outline.length === 0) return null
  return (
    <nav class="read-outline" aria-label={pageTexts.outline}>
      <h2>{pageTexts.outline}</h2>
      <ul>
        {outline.map(({ id, title, level }) => (
          <li key={id} style={{ paddingInlineStart: `${(level - 1) * 12}px` }}>
            <a href={`#${encodeURIComponent(id)}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface PagerProps {
  pages: readonly OrderedPage[]
  pageId: string
  /** Path of the screens of pages, without their IDs. */
  path: string
}

/** Links to the previous and the next page. */
export function PagePager({ pages, pageId, path }: PagerProps) {
  const { previous, next } = findNeighbors(pages, pageId)
  if (!previous && !next) return null
  return (
    <nav class="read-pager" aria-label={pageTexts.pager}>
      {previous && (
        <a href={appHref(`${path}/${previous.id}`)} rel="prev">
          <small>
            <Icon name="arrow-left" size={14} /> {pageTexts.previous}
          </small>
          {previous.title}
        </a>
      )}
      {next && (
        <a class="read-next" href={appHref(`${path}/${next.id}`)} rel="next">
          <small>
            {pageTexts.next} <Icon name="arrow-right" size={14} />
          </small>
          {next.title}
        </a>
      )}
    </nav>
  )
}
