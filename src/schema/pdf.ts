export interface PdfFilesTable {
  organization_id: string
  /** Hash of the data that the PDF is made from, which is also the hash of its blob. */
  key: string
  /** File name. */
  name: string
  state: 'queued' | 'running' | 'done' | 'failed'
  /** Progress in percent. */
  progress: number
  /** Why it failed, for the reader. */
  error: string | null
  /** Hash of the bytes of the PDF. */
  blob: string | null
  size: number
  requested_at: string
  updated_at: string
}
