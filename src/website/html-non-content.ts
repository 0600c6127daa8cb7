import { type WebElement, hasClass, nodeText } from './html-tree.ts'

const droppedElements: ReadonlySet<string> = new Set(
  'button input select textarea nav head title meta link dialog datalist progress meter rp source'.split(' '),
)

const droppedRoles: ReadonlySet<string | undefined> = new Set([
  'navigation',
  'search',
  'dialog',
  'alertdialog',
  'tooltip',
  'banner',
])

/** Classes of elements around the content, or of text for screen readers only. */
const hasDroppedClass = hasClass(
  ...(
    'sr-only visually-hidden screen-reader-text hash-link headerlink header-anchor anchor-link sl-anchor-link ' +
    'theme-edit-this-page theme-doc-footer theme-doc-toc-mobile theme-doc-breadcrumbs theme-doc-version-badge ' +
    'pagination-nav VPDocFooter VPDocOutlineDropdown edit-link edit-info prev-next md-source-file md-content__button ' +
    'md-feedback md-tags md-clipboard copy-button toc table-of-contents breadcrumb breadcrumbs rst-footer-buttons ' +
    'pagination pagination-links footnotes-sep'
  ).split(' '),
)

const isInvisible = ({ hidden, style = '', 'aria-hidden': ariaHidden }: Readonly<Record<string, string>>) =>
  hidden !== undefined || ariaHidden === 'true' || /display:\s*none|visibility:\s*hidden/.test(style)

/** Whether an element and its descendants are not content. */
export function isNonContent(element: WebElement): boolean {
  const { name, attributes, parent } = element
  return (
    droppedElements.has(name) ||
    droppedRoles.has(attributes['role']) ||
    // The footer of a quote contains its source.
    (name === 'footer' && parent?.name !== 'blockquote') ||
    isInvisible(attributes) ||
    hasDroppedClass(element)
  )
}

const badge = /badge/i

/** Whether an element is a badge, such as a version next to a heading. */
export const isBadge = ({ classes }: WebElement): boolean => Array.from(classes).some((name) => badge.test(name))

const isAnchorSymbol = (words: string) => /^[#¶§🔗⚓\u200b\ufeff\s]*$/u.test(words)

/** Whether a link points to the heading that contains it. */
export function isPermalink(link: WebElement): boolean {
  const { href = '', 'aria-label': label, title } = link.attributes
  if (!href.includes('#')) return false
  const labels = `${label ?? ''} ${title ?? ''}`
  return (
    (isAnchorSymbol(nodeText(link)) && href.startsWith('#')) ||
    /permalink|permanent link|direct link|link to (?:this )?(?:heading|section|header)/i.test(labels)
  )
}
