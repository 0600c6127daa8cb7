import type { Dimensions } from './size.ts'

interface Box {
  type: string
  start: number
  end: number
}

/** Returns the dimensions of the largest image in the container (others are tiles or a thumbnail), after its rotation. */
export function avifDimensions(view: DataView): Dimensions | undefined {
  const meta = findChild(view, { type: '', start: 0, end: view.byteLength }, 'meta')
  // Like `ispe` below, this box starts with its version.
  const properties = meta && findChild(view, { ...meta, start: meta.start + 4 }, 'iprp')
  const list = properties && findChild(view, properties, 'ipco')
  if (!list) return undefined
  let best: Dimensions | undefined
  let isRotated = false
  for (const { type, start, end } of readBoxes(view, list)) {
    if (type === 'ispe' && end - start >= 12) {
      const width = view.getUint32(start + 4)
      const height = view.getUint32(start + 8)
      if (!best || width * height > best.width * best.height) best = { width, height }
    }
    // In quarter turns.
    if (type === 'irot' && end > start) isRotated = view.getUint8(start) % 2 === 1
  }
  return best && isRotated ? { width: best.height, height: best.width } : best
}

function findChild(view: DataView, parent: Box, type: string): Box | undefined {
  for (const box of readBoxes(view, parent)) if (box.type === type) return box
}

/** Yields the complete boxes within a box. */
function* readBoxes(view: DataView, parent: Box): Iterable<Box> {
  let at = parent.start
  while (at + 8 <= parent.end) {
    const { header, size } = readBoxSize(view, at, parent.end)
    if (size < header) return
    yield { type: readBoxType(view, at + 4), start: at + header, end: Math.min(at + size, parent.end) }
    at += size
  }
}

/** Reads the size of a box: 0 means the rest of the parent, 1 means a 64-bit size after the type. */
function readBoxSize(view: DataView, at: number, end: number): { header: number; size: number } {
  const size = view.getUint32(at)
  if (size === 0) return { header: 8, size: end - at }
  return size === 1 ? { header: 16, size: Number(view.getBigUint64(at + 8)) } : { header: 8, size }
}

function readBoxType(view: DataView, at: number): string {
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3))
}
