import { Email } from '../contract/invites.ts'
import { AppError } from '../kernel/errors.ts'
import type { Html } from '../render/html.ts'
import { maxEmailLength, renderField } from './page.ts'

/** Name of the field, which differs from that of the password form on the same page. */
const name = 'address'

/** Renders the field for an email address. */
export const renderEmailField = ({ isFocused = false } = {}): Html =>
  renderField({
    name,
    label: 'Email address',
    type: 'email',
    autocomplete: 'email',
    maxLength: maxEmailLength,
    isFocused,
  })

/** Returns the address in lower case; fails if it is not exactly one address. */
export function parseEmailField(form: URLSearchParams): string {
  const parsed = Email.safeParse((form.get(name) ?? '').trim())
  if (!parsed.success) throw new AppError('invalid', 'This is not a valid email address')
  return parsed.data
}
