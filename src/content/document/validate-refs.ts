import type { ContentRef, FileRef, TagRef } from './nodes.ts'
import { type ValueReader, optional, string, variant } from './validate-values.ts'

const space = optional(string)
const fileRefVariants = { file: { file: string, space }, url: { url: string } }
const specRefVariants = { openapi: { spec: string } }
const tagRefVariants = { tag: { tag: string, space } }

export const fileRef: ValueReader<FileRef> = variant<'kind', FileRef>('kind', fileRefVariants)

export const specRef = variant<'kind', Extract<ContentRef, { kind: 'openapi' }>>('kind', specRefVariants)

export const tagRef: ValueReader<TagRef> = variant<'kind', TagRef>('kind', tagRefVariants)

export const contentRef: ValueReader<ContentRef> = variant<'kind', ContentRef>('kind', {
  ...fileRefVariants,
  ...specRefVariants,
  page: { page: string, space },
  anchor: { anchor: string, page: optional(string), space },
  user: { user: string },
  collection: { collection: string },
  space: { space: string },
  'reusable-content': { reusableContent: string, space },
  ...tagRefVariants,
})
