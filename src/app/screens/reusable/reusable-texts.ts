import { defineTexts } from '../../texts.ts'

/** Texts of the screens of reusable contents. */
export const reusableTexts = defineTexts('reusable', {
  title: 'Reusable content',
  create: 'New reusable content',
  add: 'Create',
  name: 'Title',
  nameHint: 'Readers do not see it.',
  empty: 'No reusable content yet',
  emptyHint: 'Write a text once and include it in many pages. A change appears in all of them.',
  uses: { one: 'in {count} place', other: 'in {count} places' },
  unused: 'not used',
  actions: 'Actions for {title}',
  edit: 'Edit',
  rename: 'Rename',
  copy: 'Copy the Markdown that includes it',
  whereUsed: 'Where it is used',
  remove: 'Delete',
  removeTitle: 'Delete “{title}”?',
  removed: '“{title}” was deleted',
  emptyContent: 'It has no content yet',
})
