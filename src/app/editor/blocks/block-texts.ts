import { defineTexts } from '../../texts.ts'

export const blockTexts = defineTexts('blockMenu', {
  blockTools: 'Tools for the block',
  insertBelow: 'Insert a block below',
  appliesTo: 'Applies to',
  turnInto: 'Turn into',
  listItem: 'List item',
  step: 'Step',
  indent: 'Indent',
  outdent: 'Outdent',
  undo: 'Undo',
  redo: 'Redo',
  copyLink: 'Copy link',
  comment: 'Comment',
  showComments: 'Show comments',
  makeReusable: 'Turn into reusable content',
})
