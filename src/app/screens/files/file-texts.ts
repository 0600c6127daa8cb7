import { defineTexts } from '../../texts.ts'

/** Texts of the screen of files. */
export const fileTexts = defineTexts('files', {
  title: 'Files',
  empty: 'This space has no files yet',
  emptyHint: 'Drop files here, or paste an image while you edit a page.',
  upload: 'Upload files',
  drop: 'Drop files to upload them',
  uploading: 'Uploading {name}',
  uploaded: { one: '{count} file was added', other: '{count} files were added' },
  uploadFailed: '{name} was not added: {reason}',
  download: 'Download',
  name: 'Name',
  rename: 'Rename',
  replace: 'Replace',
  replaced: '“{name}” was replaced. Pages show the new content after the merge.',
  copy: 'Copy Markdown',
  remove: 'Delete',
  removeTitle: 'Delete “{name}”?',
  removed: '“{name}” was deleted',
})
