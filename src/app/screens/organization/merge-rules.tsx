import type { OrganizationMergeRules } from '../../../contract/space.ts'
import { defineTexts } from '../../texts.ts'
import { Checkbox } from '../../ui/fields.tsx'

const texts = defineTexts('mergeRules', {
  require_at_least_one_approved_review: 'At least one reviewer approved',
  require_all_reviews_approved: 'All reviewers approved',
  require_up_to_date_change_request: 'The change request is up to date with the space',
  require_change_request_subject: 'It has a subject',
  require_change_request_description: 'It has a description',
  otherRules: 'Other rules are kept.',
})

/** Rules without further values, which are offered as checkboxes. */
const simpleRules = [
  'require_at_least_one_approved_review',
  'require_all_reviews_approved',
  'require_up_to_date_change_request',
  'require_change_request_subject',
  'require_change_request_description',
] as const

type MergeRules = Extract<OrganizationMergeRules, { type: 'rules' }>['rules']

interface MergeRuleListProps {
  rules: MergeRules
  onChange: (rules: MergeRules) => void
}

/** Edits the conditions for merging change requests. */
export function MergeRuleList({ rules, onChange }: MergeRuleListProps) {
  const hasOthers = rules.some(({ rule }) => !simpleRules.some((simple) => simple === rule))
  return (
    <div class="rule-list">
      {simpleRules.map((rule) => (
        <Checkbox
          key={rule}
          label={texts[rule]}
          checked={rules.some((one) => one.rule === rule)}
          onChange={(isOn) => {
            const rest = rules.filter((one) => one.rule !== rule)
            onChange(isOn ? [...rest, { rule }] : rest)
          }}
        />
      ))}
      {hasOthers && <p class="quiet">{texts.otherRules}</p>}
    </div>
  )
}
