import { defineTexts } from '../../texts.ts'

export const linkTexts = defineTexts('linkDialog', {
  headings: 'Choose a heading of “{page}”',
  heading: 'Heading of “{page}”',
  wholePage: 'The whole page',
  noHeading: 'No heading of this page has this text.',
  otherPage: 'Other page',
})
