import type { BlockReader } from '../reading.ts'
import { generators } from './generators.ts'
import { readAlert } from './alerts.ts'

/** Reads blocks of all generators, because their themes and plugins with unique class names are used elsewhere, too. */
export const readGeneratedBlock: BlockReader = (element, reading) => {
  if (element.classes.size === 0 && element.name !== 'starlight-tabs') return undefined
  for (const { readBlock } of generators) {
    const blocks = readBlock(element, reading)
    if (blocks) return blocks
  }
  return readAlert(element, reading)
}
