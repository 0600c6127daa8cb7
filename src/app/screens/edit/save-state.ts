import type { ApiError } from '../../api.ts'
import type { PageText } from './page-text.ts'

/** Whether the text in the editor is saved. */
export type SaveState =
  | { kind: 'saved'; at: number | undefined }
  | { kind: 'unsaved' }
  | { kind: 'saving' }
  /** The request is sent again automatically. */
  | { kind: 'waiting'; error: ApiError }
  | { kind: 'failed'; error: ApiError }
  | { kind: 'conflict'; base: PageText; theirs: PageText }
  /** Nothing is sent, because the content can no longer be edited. */
  | { kind: 'halted' }

/** Whether the same request may succeed later. */
export const isTemporary = ({ status }: ApiError): boolean => status === 0 || status === 429 || status >= 500
