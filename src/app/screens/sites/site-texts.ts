import { defineTexts } from '../../texts.ts'

/** Texts that the list and the screen of a site share. */
export const siteTexts = defineTexts('sites', {
  title: 'Sites',
  empty: 'No site yet',
  create: 'New site',
  emptyHint: 'A site publishes spaces at its own address.',
  published: 'Published',
  unpublished: 'Not published',
  public: 'Public',
  unlisted: 'Unlisted',
  'share-link': 'With a link',
  'visitor-auth': 'Visitors sign in',
})
