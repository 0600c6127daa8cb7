import { expect, test } from 'vitest'
import { defaultSettings } from '../../src/publishing/customization-defaults.ts'
import { contrastRatio } from '../../src/render/colors.ts'
import { paletteStyle } from '../../src/render/palette.ts'

const { styling } = defaultSettings

/** Returns the colors of the default palette by name, in light and in dark mode. */
function paletteOf(theme: typeof styling.theme): Map<string, readonly [light: string, dark: string]> {
  const style = paletteStyle({
    theme,
    background: 'plain',
    primary: styling.primaryColor,
    tint: undefined,
    info: styling.infoColor,
    success: styling.successColor,
    warning: styling.warningColor,
    danger: styling.dangerColor,
    header: { preset: 'default', background: undefined, link: undefined },
  })
  return new Map(
    Array.from(style.matchAll(/--([\w-]+):light-dark\((#\w+),(#\w+)\)/g), ([, name = '', light = '', dark = '']) => [
      name,
      [light, dark] as const,
    ]),
  )
}

/** Returns the difference between the strongest and the weakest channel of a color. */
function spreadOf(color: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  return Math.max(...channels) - Math.min(...channels)
}

test.each(['clean', 'muted', 'bold', 'gradient'] as const)(
  'hints of every style are visibly colored in the theme %s and have readable text',
  (theme) => {
    const palette = paletteOf(theme)
    const colorsOf = (name: string) => palette.get(name) ?? ['', '']
    for (const name of ['info', 'success', 'warning', 'danger']) {
      for (const mode of [0, 1] as const) {
        const [tone, soft, text] = [colorsOf(name)[mode], colorsOf(`${name}-soft`)[mode], colorsOf('text')[mode]]
        expect([name, spreadOf(tone) >= 80, spreadOf(soft) >= 12]).toEqual([name, true, true])
        expect(contrastRatio(tone, soft)).toBeGreaterThanOrEqual(4.5)
        expect(contrastRatio(text, soft)).toBeGreaterThanOrEqual(4.5)
      }
    }
  },
)
