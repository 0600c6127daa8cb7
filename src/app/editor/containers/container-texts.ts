import { defineTexts } from '../../texts.ts'

export const containerTexts = defineTexts('visualContainers', {
  tabTitle: 'Title of the tab',
  tab: 'Tab {number}',
  addTab: 'Add a tab',
  moveTabLeft: 'Move the tab left',
  moveTabRight: 'Move the tab right',
  deleteTab: 'Delete the tab',
  addStep: 'Add a step',
  deleteStep: 'Delete the step',
  addColumn: 'Add a column',
  deleteColumn: 'Delete the column',
  condition: 'Condition',
  conditional: 'Conditional content',
  updates: 'Updates',
  addUpdate: 'Add an update',
  deleteUpdate: 'Delete the update',
  date: 'Date',
  tags: 'Tags',
  updateTags: 'Tags, separated by commas',
  dateFormat: 'Format of the dates',
})
