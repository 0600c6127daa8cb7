import type { ContentRef, FileRef, TagRef } from './nodes.ts'
import { type Read, optional, text, variant } from './validate-values.ts'

const space = optional(text)
const fileRefs = { file: { file: text, space }, url: { url: text } }
const specRefs = { openapi: { spec: text } }
const tagRefs = { tag: { tag: text, space } }

export const fileRef: Read<FileRef> = variant<'kind', FileRef>('kind', fileRefs)

export const specRef = variant<'kind', Extract<ContentRef, { kind: 'openapi' }>>('kind', specRefs)

export const tagRef: Read<TagRef> = variant<'kind', TagRef>('kind', tagRefs)

export const contentRef: Read<ContentRef> = variant<'kind', ContentRef>('kind', {
  ...fileRefs,
  ...specRefs,
  page: { page: text, space },
  anchor: { anchor: text, page: optional(text), space },
  user: { user: text },
  collection: { collection: text },
  space: { space: text },
  'reusable-content': { reusableContent: text, space },
  ...tagRefs,
})
