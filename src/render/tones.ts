import { colorNames } from '../content/document/nodes.ts'

/** Colours that mean something, by the properties of the palette that they go by. */
const meanings: Readonly<Record<string, string>> = {
  $primary: 'accent',
  $info: 'info',
  $success: 'success',
  $warning: 'warning',
  $danger: 'danger',
  $tint: 'muted',
}

const tones = new Map<string, string>(
  colorNames.filter((name) => name !== 'default').map((name) => [name, `var(--${meanings[name] ?? name})`]),
)

/** A colour that content names, as CSS has it; undefined for the one that texts have anyway, and for what is none. */
export const toneOf = (name: string | undefined): string | undefined => tones.get(name ?? '')

/** The property by which styles know the colour of something. */
export function toneStyle(name: string | undefined): string | undefined {
  const tone = toneOf(name)
  return tone && `--tone:${tone}`
}
