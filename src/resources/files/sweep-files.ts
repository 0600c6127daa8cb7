import { z } from 'zod'
import { deletePdfFilesBefore } from '../../domain/pdf/pdf-store.ts'
import { job } from '../../jobs/job.ts'
import { days, timestamp } from '../../kernel/time.ts'
import type { Blobs } from '../../storage/blobs.ts'
import { findUnusedBlobs, deleteUnusedBlobRecord, markBlobForDeletion } from '../../storage/unused-blobs.ts'
import * as store from '../../domain/files/upload-store.ts'

/** Time after which an upload that did not become a file is deleted. */
const uploadRetention = days(1)
/** Time after the last request for which PDFs are kept. */
const pdfRetention = days(1)
/** Time for which unreferenced blobs are kept, so that a backup that copied the rows first still finds them. */
const unusedRetention = days(2)

/** Deletes uploads that did not become files, PDFs that nobody requested recently, and blobs that are no longer referenced. */
export const sweepFiles = (blobs: Blobs) =>
  job({
    name: 'files.sweep',
    attempts: 5,
    key: () => '',
    payload: z.object({}).strict(),
    async run({ db, transaction, now, log, signal }) {
      const time = Date.parse(now())
      await transaction((tx) => store.deleteUploadsBefore(tx, timestamp(time - uploadRetention), timestamp(time)))
      await transaction((tx) => deletePdfFilesBefore(tx, timestamp(time - pdfRetention), timestamp(time)))
      const before = timestamp(time - unusedRetention)
      let removed = 0
      for (;;) {
        const hashes = await findUnusedBlobs(db, before)
        if (hashes.length === 0) break
        for (const hash of hashes) {
          signal.throwIfAborted()
          if (!(await transaction((tx) => markBlobForDeletion(tx, hash, before)))) continue
          await blobs.delete(hash)
          await transaction((tx) => deleteUnusedBlobRecord(tx, hash))
          removed++
        }
      }
      if (removed > 0) log.info('Unused files were removed', { files: removed })
    },
  })
