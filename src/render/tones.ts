import { colorNames } from '../content/document/nodes.ts'

/** The semantic colors, with the custom properties of the palette. */
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

/** Returns the CSS value of a color named in content; undefined for the default text color and for unknown names. */
export const toneOf = (name: string | undefined): string | undefined => tones.get(name ?? '')

/** Returns the inline style that sets the color of an element. */
export function toneStyle(name: string | undefined): string | undefined {
  const tone = toneOf(name)
  return tone && `--tone:${tone}`
}
