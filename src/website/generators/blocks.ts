import type { BlockReader } from '../node-reader.ts'
import { generators } from './generators.ts'
import { readGithubAlert } from './alerts.ts'

/** Reads blocks of all generators, because their themes and plugins with unique class names are used elsewhere, too. */
export const readGeneratorBlock: BlockReader = (element, reader) => {
  if (element.classes.size === 0 && element.name !== 'starlight-tabs') return undefined
  for (const { readBlock } of generators) {
    const blocks = readBlock(element, reader)
    if (blocks) return blocks
  }
  return readGithubAlert(element, reader)
}
