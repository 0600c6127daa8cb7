import { createElement, fillPlaceholder } from './dom.ts'
import { formatJson } from './format-json.ts'
import type { TryItPanelTexts } from '../render/openapi/try-it.ts'

/** A response with as much of its body as was read. */
export interface TryItResponse {
  status: number
  statusText: string
  headers: readonly (readonly [string, string])[]
  bytes: Uint8Array<ArrayBuffer>
  /** Whether the body is longer. */
  isTruncated: boolean
  milliseconds: number
}

/** Maximum number of characters of a body that are shown. */
const maxShownLength = 200_000

/** Maximum number of characters of a body that are indented. */
const maxFormattedLength = 1_000_000

/** Renders a response. */
export function renderResponse(response: TryItResponse, texts: TryItPanelTexts): Node[] {
  const { status, statusText, headers, bytes, isTruncated, milliseconds } = response
  const kind = String(status).charAt(0)
  const head = createElement(
    'p',
    { class: 'try-it-status' },
    createElement('b', { class: `status status-${kind}` }, `${status} ${statusText}`.trim()),
    createElement('span', {}, `${Math.round(milliseconds)} ms`),
    createElement('span', {}, formatSize(bytes.length)),
  )
  const list = createElement(
    'details',
    { class: 'try-it-headers' },
    createElement('summary', {}, `${texts.headers} (${headers.length})`),
    createElement(
      'dl',
      {},
      ...headers.map(([name, value]) =>
        createElement('div', {}, createElement('dt', {}, name), createElement('dd', {}, value)),
      ),
    ),
  )
  if (bytes.length === 0) return [head, list, createElement('p', { class: 'try-it-note' }, texts.noBody)]
  return [head, list, ...renderBody(response, isTruncated, texts)]
}

function renderBody({ headers, bytes }: TryItResponse, isTruncated: boolean, texts: TryItPanelTexts): Node[] {
  const contentType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const download = createElement('a', { class: 'try-it-download', download: `response${extensionOf(contentType)}` })
  download.textContent = texts.download
  // The type makes browsers save the file instead of showing it on the origin of this page.
  download.href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }))
  const text = decodeText(bytes, isTruncated)
  if (text === undefined) return [createElement('p', { class: 'try-it-note' }, contentType, ' '), download]
  const formatted = text.length <= maxFormattedLength && !isTruncated ? (formatJson(text) ?? text) : text
  const shown = formatted.slice(0, maxShownLength)
  const code = createElement('code', {}, shown)
  const pre = createElement('pre', { tabindex: '0', 'aria-label': texts.response }, code)
  const isShortened = isTruncated || shown.length < formatted.length
  const note = fillPlaceholder(
    texts.truncated,
    formatSize(isTruncated ? Math.min(bytes.length, shown.length) : shown.length),
  )
  return [
    pre,
    ...(isShortened ? [createElement('p', { class: 'try-it-note' }, note)] : []),
    ...(isTruncated ? [] : [download]),
  ]
}

/** Decodes UTF-8; returns undefined for binary data. */
function decodeText(bytes: Uint8Array, isTruncated: boolean): string | undefined {
  try {
    // The last character of a truncated body may be incomplete.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isTruncated })
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

const extensionOf = (contentType: string): string => {
  const subtype = /^[\w.-]+\/(?:[\w.-]+\+)?([a-z0-9]{2,5})\b/i.exec(contentType)?.[1]?.toLowerCase()
  return subtype === undefined ? '' : `.${subtype === 'plain' ? 'txt' : subtype}`
}

const sizeUnits = ['byte', 'kilobyte', 'megabyte'] as const

/** Formats a number of bytes in the language of the page. */
export function formatSize(bytes: number): string {
  const power = bytes < 1000 ? 0 : bytes < 1_000_000 ? 1 : 2
  const options = {
    style: 'unit',
    unit: sizeUnits[power],
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  } as const
  return new Intl.NumberFormat(document.documentElement.lang || 'en', options).format(bytes / 1000 ** power)
}
