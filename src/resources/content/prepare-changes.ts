import type { ContentChange } from '../../contract/content-changes.ts'
import { type FileServices, type ChangeFiles, storeChangeFiles } from '../../domain/files/store-file.ts'
import { type LongTexts, parseLongTexts } from './long-texts.ts'

/** Results for a list of changes that must be computed outside of a transaction. */
export interface PreparedChanges {
  files: ChangeFiles
  longTexts: LongTexts
}

export async function prepareChanges(
  services: FileServices,
  changes: readonly ContentChange[],
): Promise<PreparedChanges> {
  const longTexts = await parseLongTexts(changes)
  return { files: await storeChangeFiles(services, changes), longTexts }
}
