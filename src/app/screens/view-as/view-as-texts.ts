import { defineTexts } from '../../texts.ts'

export const viewAsTexts = defineTexts('viewAs', {
  viewAs: 'View as a visitor',
  anonymous: 'Shown as a visitor without claims.',
  visitor: 'Shown as a visitor with {claims}.',
  pageHidden: 'This visitor does not see this page.',
  blockHidden: 'Not shown to this visitor',
  change: 'Change',
  showAll: 'Show everything',
  hint: 'Claims decide which conditional content a visitor sees.',
  site: 'Site',
  form: 'Fields',
  json: 'JSON',
  format: 'Claims as',
  claims: 'Claims of the visitor',
  claimsHint: 'A JSON object, for example { "plan": "pro" }. Unsigned claims are in "unsigned".',
  invalid: 'This is not a JSON object.',
  notSet: 'Not set',
  yes: 'Yes',
  no: 'No',
  apply: 'Show',
})
