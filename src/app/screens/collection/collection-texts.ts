import { defineTexts } from '../../texts.ts'

export const collectionTexts = defineTexts('collection', {
  collection: 'Collection',
  untitled: 'Untitled collection',
  empty: 'This collection is empty',
  emptyHint: 'Create a space here, or move one into it.',
  newSpace: 'New space',
  newCollection: 'New collection',
  rename: 'Rename',
  move: 'Move',
  remove: 'Delete',
  name: 'Name',
  description: 'Description',
  save: 'Save',
  create: 'Create',
  moveTo: 'Move to',
  removeTitle: 'Delete {title}?',
  removeText:
    'All collections in it are deleted. Its spaces go to the trash of the organization, from which they can be restored for 7 days, outside of the collection.',
  removed: 'The collection was deleted.',
  moved: 'The collection was moved.',
  undo: 'Undo',
})
