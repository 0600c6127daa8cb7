import { createHash } from 'node:crypto'
import type { FileChange } from '../../src/content/repository/export.ts'
import type { SourceFile, SourceFolder } from '../../src/content/repository/source.ts'

/** Returns the Git object id of a blob. */
export function gitOid(bytes: Uint8Array | string): string {
  const content = Buffer.from(bytes)
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
}

/** Folder in memory that records which of its files were read. */
export class MemoryFolder implements SourceFolder {
  readonly contents: Map<string, string>
  readonly problems = []
  readPaths: string[] = []

  constructor(contents: Record<string, string> | Map<string, string>) {
    this.contents = contents instanceof Map ? contents : new Map(Object.entries(contents))
  }

  get files(): SourceFile[] {
    return [...this.contents].map(([path, text]) => ({ path, oid: gitOid(text) }))
  }

  async *texts(files: readonly SourceFile[]) {
    for (const { path } of files) {
      this.readPaths.push(path)
      yield { path, text: this.contents.get(path) ?? '' }
    }
  }

  async *assets(files: readonly SourceFile[]) {
    for (const { path } of files) {
      const text = this.contents.get(path) ?? ''
      this.readPaths.push(path)
      const blob = createHash('sha256').update(text).digest('hex')
      this.blobs.set(blob, text)
      const name = path.slice(path.lastIndexOf('/') + 1)
      yield { path, file: { name, contentType: 'image/png', size: text.length, blob } }
    }
  }

  readonly blobs = new Map<string, string>()

  /** Returns the folder after changes, with the ids of written files. */
  applyChanges(changes: readonly FileChange[]): { folder: MemoryFolder; oids: Map<string, string> } {
    const contents = new Map(this.contents)
    const oids = new Map<string, string>()
    for (const change of changes) {
      if ('isDeleted' in change) contents.delete(change.path)
      else {
        const text = 'text' in change ? change.text : (this.blobs.get(change.blob) ?? `bytes ${change.blob}`)
        contents.set(change.path, text)
        oids.set(change.path, gitOid(text))
      }
    }
    return { folder: new MemoryFolder(contents), oids }
  }
}
