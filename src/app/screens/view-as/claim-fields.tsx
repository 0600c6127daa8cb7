import { SelectField, TextField } from '../../ui/fields.tsx'
import { type DeclaredClaim, readClaim, withClaim } from './declared-claims.ts'
import { viewAsTexts as texts } from './view-as-texts.ts'
import type { VisitorClaims } from './visitor-claims.ts'

interface ClaimFieldsProps {
  declared: readonly DeclaredClaim[]
  claims: VisitorClaims
  onChange: (claims: VisitorClaims) => void
}

/** Edits the values of claims that a site declares. */
export function ClaimFields({ declared, claims, onChange }: ClaimFieldsProps) {
  return (
    <>
      {declared.map((one) => (
        <ClaimField
          key={`${one.isSigned}${one.name}`}
          declared={one}
          value={readClaim(claims, one)}
          onChange={(value) => onChange(withClaim(claims, one, value))}
        />
      ))}
    </>
  )
}

interface ClaimFieldProps {
  declared: DeclaredClaim
  value: unknown
  onChange: (value: unknown) => void
}

function ClaimField({ declared: { name, claim }, value, onChange }: ClaimFieldProps) {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
  const common = { label: name, hint: claim.description || undefined, value: text }
  const notSet = { value: '', title: texts.notSet }
  if (claim.type === 'boolean')
    return (
      <SelectField
        {...common}
        options={[notSet, { value: 'true', title: texts.yes }, { value: 'false', title: texts.no }]}
        onChange={(chosen) => onChange(chosen === '' ? undefined : chosen === 'true')}
      />
    )
  if (claim.type === 'string' && claim.enum)
    return (
      <SelectField
        {...common}
        options={[notSet, ...claim.enum.map((one) => ({ value: one, title: one }))]}
        onChange={(chosen) => onChange(chosen || undefined)}
      />
    )
  const isNumber = claim.type === 'number'
  return (
    <TextField
      {...common}
      type={isNumber ? 'number' : 'text'}
      onInput={(entered) => onChange(entered === '' ? undefined : isNumber ? Number(entered) : entered)}
    />
  )
}
