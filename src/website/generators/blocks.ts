import type { BlockReader } from '../reading.ts'
import { generators } from './generators.ts'
import { readAlert } from './alerts.ts'

/** The special things of all generators: their themes and plugins are used elsewhere too, and have names of their own. */
export const readGeneratedBlock: BlockReader = (element, reading) => {
  if (element.classes.size === 0 && element.name !== 'starlight-tabs') return undefined
  for (const { readBlock } of generators) {
    const blocks = readBlock(element, reading)
    if (blocks) return blocks
  }
  return readAlert(element, reading)
}
