import type { ComponentChildren } from 'preact'
import type { RenderedPage } from '../../../contract/rendered.ts'
import { appHref } from '../../base-path.ts'
import { joinClasses } from '../../ui/classes.ts'
import { ContentIcon } from '../../ui/content-icon.tsx'
import type { Crumb } from '../../ui/frame.tsx'
import { Icon } from '../../ui/icon.tsx'
import { type OrderedPage, findNeighbors } from './page-order.ts'
import { pageTexts } from './page-texts.ts'

/** The location of a page in the top bar. */
export const toPageCrumb = ({ title, emoji, icon }: RenderedPage): Crumb => ({
  title,
  icon: <ContentIcon emoji={emoji} icon={icon} />,
})

/** The head of a page: cover, title, description and tags. */
export function PageHead({ page, actions }: { page: RenderedPage; actions?: ComponentChildren }) {
  const { title, description, emoji, icon, cover, tags = [] } = page
  return (
    <PageHeader cover={cover}>
      <div class="read-title-row">
        <h1 class="read-title" dir="auto">
          <ContentIcon emoji={emoji} icon={icon} /> {title}
        </h1>
        {actions}
      </div>
      {description !== undefined && description !== '' && (
        <p class="read-lead" dir="auto">
          {description}
        </p>
      )}
      {tags.length > 0 && (
        <ul class="read-tags">
          {tags.map((tag) => (
            <li key={tag.slug} class="ui-badge">
              <ContentIcon emoji={tag.emoji} icon={tag.icon} /> {tag.label}
            </li>
          ))}
        </ul>
      )}
    </PageHeader>
  )
}

type RenderedCover = NonNullable<RenderedPage['cover']>

interface PageHeaderProps {
  cover: RenderedCover | undefined
  children: ComponentChildren
}

/** The head of a page with its cover, which is above or behind it. */
export function PageHeader({ cover, children }: PageHeaderProps) {
  const isBehind = cover?.size === 'background'
  return (
    <>
      {cover && !isBehind && <Cover cover={cover} />}
      <header
        class={joinClasses('read-head', isBehind && 'is-on-cover', isBehind && !cover.textColor && 'is-washed')}
        style={isBehind ? headStyle(cover) : undefined}
      >
        {isBehind && <Cover cover={cover} />}
        {children}
      </header>
    </>
  )
}

/** Shows a cover at the position and in the size that published pages use. */
function Cover({ cover: { light, dark, size, mask, yPos, height } }: { cover: RenderedCover }) {
  const style = { '--cover-y': `${Math.round(50 + yPos / 2)}%`, ...heightStyle(height) }
  return (
    <div class={joinClasses('read-cover', `read-cover-${size}`, mask === 'radial' && 'is-fading')} style={style}>
      <img class={dark === undefined ? undefined : 'only-light'} src={light} alt="" />
      {dark !== undefined && <img class="only-dark" src={dark} alt="" />}
    </div>
  )
}

/** Background colors that keep the title readable before the cover has loaded. */
const coverBackgrounds = { white: 'dimgray', black: 'lightgray' }

function headStyle({ textColor, textColorDark = textColor, mask, height }: RenderedCover) {
  if (!textColor || !textColorDark) return heightStyle(height)
  const background = `light-dark(${coverBackgrounds[textColor]}, ${coverBackgrounds[textColorDark]})`
  return {
    '--on-cover': `light-dark(${textColor}, ${textColorDark})`,
    ...(mask === 'none' && { background }),
    ...heightStyle(height),
  }
}

const heightStyle = (height: number | undefined) => (height === undefined ? {} : { '--cover-height': `${height}px` })

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
