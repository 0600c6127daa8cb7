import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { ListedContent } from '../content/repository/import.ts'
import { type Objects, readObject, readObjects } from '../content/revision/objects.ts'
import { readSequence } from '../content/revision/sequence.ts'
import { openTree } from '../content/revision/tree.ts'
import type { Blobs } from '../storage/blobs.ts'

/** Returns the paths of pages, files and reusable contents by ID. */
export async function readItemPaths(objects: Objects, hash: string): Promise<Map<string, string>> {
  const { folder, items } = await readObject(objects, 'listing', hash)
  const prefix = folder === '' ? '' : `${folder}/`
  return new Map((await readSequence(objects, items)).map(({ id, path }) => [id, prefix + path]))
}

/** Opens the files of the source by the hashes of their bytes. */
export async function openSourceBlobs(
  objects: Objects,
  { root, listing = '' }: ListedContent,
  folder: string,
): Promise<Pick<Blobs, 'open'>> {
  const paths = await readItemPaths(objects, listing)
  const entries = await readSequence(objects, (await openTree(objects, root)).root.files)
  const files = await readObjects(
    objects,
    'file',
    entries.map(({ hash }) => hash),
  )
  const found = new Map(
    files.map(({ blob, size }, index) => [blob, { size, path: paths.get(entries[index]?.id ?? '') ?? '' }]),
  )
  return {
    async open(blob) {
      const file = found.get(blob)
      if (!file) return undefined
      const stream = Readable.toWeb(createReadStream(join(folder, file.path))) as ReadableStream<Uint8Array>
      return { size: file.size, stream }
    },
  }
}
