import type { ContentChange } from '../../contract/content-changes.ts'
import { type FileServices, type GatheredFiles, gatherFiles } from '../../domain/files/store-file.ts'
import { type LongTexts, readLongTexts } from './long-texts.ts'

/** Results for a list of changes that must be computed outside of a transaction. */
export interface Gathered {
  files: GatheredFiles
  longTexts: LongTexts
}

export async function gather(services: FileServices, changes: readonly ContentChange[]): Promise<Gathered> {
  const longTexts = await readLongTexts(changes)
  return { files: await gatherFiles(services, changes), longTexts }
}
