import type { Role, RoleOrGuest } from '../../../contract/roles.ts'
import { defineTexts } from '../../texts.ts'
import { SelectField } from '../../ui/fields.tsx'

const texts = defineTexts('roles', {
  read: 'Reader',
  comment: 'Commenter',
  edit: 'Editor',
  review: 'Reviewer',
  create: 'Creator',
  admin: 'Administrator',
  guest: 'Guest',
  role: 'Role',
  readHint: 'Reads everything that is open to members',
  commentHint: 'Also comments',
  editHint: 'Also edits in change requests',
  reviewHint: 'Also reviews and merges',
  createHint: 'Also creates spaces and sites',
  adminHint: 'Can do everything',
  guestHint: 'Sees only what is shared with them',
})

/** Roles from the highest to the lowest. */
export const allRoles: readonly Role[] = ['admin', 'create', 'review', 'edit', 'comment', 'read']

/** Returns the name of a role; members without one are guests. */
export const roleName = (role: RoleOrGuest): string => texts[role ?? 'guest']

export const roleHint = (role: RoleOrGuest): string => texts[`${role ?? 'guest'}Hint`]

/** Value of the option for guests; an empty value would mean that nothing is selected. */
const guest = 'guest'

const toRole = (value: string): RoleOrGuest => allRoles.find((role) => role === value) ?? null

interface RoleFieldProps {
  value: RoleOrGuest
  onChange: (role: RoleOrGuest) => void
  /** Without guests, every member gets a role. */
  withGuest?: boolean
  label?: string
}

/** Chooses a role in a form. */
export function RoleField({ value, onChange, withGuest = true, label }: RoleFieldProps) {
  return (
    <SelectField
      label={label ?? texts.role}
      hint={roleHint(value)}
      value={value ?? guest}
      options={[
        ...allRoles.map((role) => ({ value: role as string, title: roleName(role) })),
        ...(withGuest ? [{ value: guest, title: roleName(null) }] : []),
      ]}
      onChange={(chosen) => onChange(toRole(chosen))}
    />
  )
}

interface RoleSelectProps {
  /** Name for screen readers, which contains the name of the person or team. */
  label: string
  value: RoleOrGuest
  onChange: (role: RoleOrGuest) => void
  withGuest?: boolean
  disabled?: boolean
}

/** Chooses a role in a row of a list. */
export function RoleSelect({ label, value, onChange, withGuest = true, disabled = false }: RoleSelectProps) {
  return (
    <select
      class="input role-select"
      aria-label={label}
      value={value ?? guest}
      disabled={disabled}
      onChange={(event) => onChange(toRole(event.currentTarget.value))}
    >
      {allRoles.map((role) => (
        <option key={role} value={role}>
          {roleName(role)}
        </option>
      ))}
      {withGuest && <option value={guest}>{roleName(null)}</option>}
    </select>
  )
}
