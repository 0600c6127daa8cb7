import { colorNames } from '../content/document/nodes.ts'

/** The semantic colors, with the custom properties of the palette. */
const semanticProperties: Readonly<Record<string, string>> = {
  $primary: 'accent',
  $info: 'info',
  $success: 'success',
  $warning: 'warning',
  $danger: 'danger',
  $tint: 'muted',
}

const cssColors = new Map<string, string>(
  colorNames.filter((name) => name !== 'default').map((name) => [name, `var(--${semanticProperties[name] ?? name})`]),
)

/** Returns the CSS value of a color named in content; undefined for the default text color and for unknown names. */
export const toCssColor = (name: string | undefined): string | undefined => cssColors.get(name ?? '')

/** Returns the inline style that sets the color of an element. */
export function toneStyle(name: string | undefined): string | undefined {
  const tone = toCssColor(name)
  return tone && `--tone:${tone}`
}
