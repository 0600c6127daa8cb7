import { countText, fillText } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox, SelectField, TextField } from '../../../ui/fields.tsx'
import { adaptiveTexts as texts } from './adaptive-texts.ts'
import { type FormClaim, type FormSchema, emptyClaim } from './schema-claims.ts'

const types = ['string', 'values', 'number', 'boolean'] as const

/** Fields for the claims of visitors. */
export function ClaimList({ form, onChange }: { form: FormSchema; onChange: (form: FormSchema) => void }) {
  const { claims, others } = form
  const setClaims = (changed: readonly FormClaim[]) => onChange({ ...form, claims: changed })
  const otherCount = Object.keys(others.signed).length + Object.keys(others.unsigned).length
  return (
    <>
      <ul class="claims">
        {claims.map((claim, index) => (
          <li key={index}>
            <ClaimFields
              claim={claim}
              onChange={(changed) => setClaims(claims.with(index, changed))}
              onRemove={() => setClaims(claims.toSpliced(index, 1))}
            />
          </li>
        ))}
      </ul>
      {otherCount > 0 && <p class="quiet">{countText(texts.others, otherCount)}</p>}
      <p class="form-actions">
        <Button kind="quiet" icon="plus" onClick={() => setClaims([...claims, emptyClaim])}>
          {texts.add}
        </Button>
      </p>
    </>
  )
}

interface ClaimFieldsProps {
  claim: FormClaim
  onChange: (claim: FormClaim) => void
  onRemove: () => void
}

function ClaimFields({ claim, onChange, onRemove }: ClaimFieldsProps) {
  const set = (changed: Partial<FormClaim>) => onChange({ ...claim, ...changed })
  return (
    <div class="claim">
      <TextField
        label={texts.name}
        required
        spellcheck={false}
        maxLength={64}
        value={claim.name}
        onInput={(name) => set({ name })}
      />
      <SelectField
        label={texts.type}
        value={claim.type}
        options={types.map((value) => ({ value, title: texts[value] }))}
        onChange={(type) => set({ type })}
      />
      {claim.type === 'values' && (
        <TextField label={texts.allowed} required value={claim.values} onInput={(values) => set({ values })} />
      )}
      <TextField label={texts.description} value={claim.description} onInput={(description) => set({ description })} />
      <Checkbox
        label={texts.isSigned}
        hint={claim.isSigned ? undefined : texts.isSignedHint}
        checked={claim.isSigned}
        onChange={(isSigned) => set({ isSigned })}
      />
      <Button kind="quiet" icon="trash" label={fillText(texts.remove, { name: claim.name })} onClick={onRemove} />
    </div>
  )
}
