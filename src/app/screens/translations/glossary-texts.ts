import { defineTexts } from '../../texts.ts'

export const glossaryTexts = defineTexts('glossary', {
  title: 'Glossary',
  empty: 'The glossary is empty',
  emptyHint: 'Enter terms that must always be translated in the same way. All translations are checked for them.',
  add: 'Add a term',
  edit: 'Change a term',
  sortedBy: 'Sorted by',
  newest: 'Newest first',
  addLanguage: 'Add a language',
  save: 'Save',
  remove: 'Delete',
  removed: 'The term was deleted.',
  undo: 'Undo',
  import: 'Import CSV',
  export: 'Export CSV',
  imported: { one: '{count} term was imported.', other: '{count} terms were imported.' },
  importing: '{done} of {total} terms are imported.',
  noColumns: 'The file is not CSV with language codes in its first line, for example: en,fr,de',
  badLine: 'Line {line}: {reason}',
  fewTerms: 'A term needs at least one language.',
  count: { one: '{count} term', other: '{count} terms' },
})
