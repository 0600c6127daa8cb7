import { encode } from 'uqr'
import { type Html, attributes, markup } from '../render/html.ts'

/** Width of the empty border in modules, which scanners need. */
const border = 4

/** Renders a text as a QR code. It is dark on light in both themes, because many scanners read no inverted codes. */
export function renderQrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { border })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return markup`<svg${attributes({ class: 'qr-code', role: 'img', 'aria-label': label, viewBox: `0 0 ${size} ${size}`, 'shape-rendering': 'crispEdges' })}><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path}"/></svg>`
}
