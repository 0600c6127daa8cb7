import { tintedGray, mixColors, textColorOn, ensureContrast, tintGray } from './colors.ts'

/** A value in light and in dark mode. */
export interface LightDark {
  light: string
  dark: string
}

export interface PaletteSettings {
  theme: 'clean' | 'muted' | 'bold' | 'gradient'
  /** Whether the background is tinted with the primary color. */
  background: 'plain' | 'match'
  primary: LightDark
  tint: LightDark | undefined
  info: LightDark
  success: LightDark
  warning: LightDark
  danger: LightDark
  header: {
    preset: 'default' | 'bold' | 'contrast' | 'custom' | 'none'
    background: LightDark | undefined
    link: LightDark | undefined
  }
}

type Mode = keyof LightDark

/** Lightness of the grays. Every text color has enough contrast on every background, with any tint. */
const grayLightness = {
  light: {
    back: 1,
    raised: 1,
    sunken: 0.976,
    hover: 0.958,
    line: 0.925,
    strongLine: 0.86,
    muted: 0.51,
    text: 0.36,
    heading: 0.21,
  },
  dark: {
    back: 0.185,
    raised: 0.222,
    sunken: 0.232,
    hover: 0.27,
    line: 0.295,
    strongLine: 0.4,
    muted: 0.73,
    text: 0.87,
    heading: 0.97,
  },
} as const

type GrayName = keyof (typeof grayLightness)['light']

/** Returns the colors of a site as custom properties for both modes. Text colors are adjusted to have enough contrast. */
export function paletteStyle(settings: PaletteSettings): string {
  const [light, dark] = [buildColors(settings, 'light'), buildColors(settings, 'dark')]
  return Object.entries(light)
    .map(([name, value]) => `--${name}:light-dark(${value},${dark[name] ?? value});`)
    .join('')
}

function buildColors(settings: PaletteSettings, mode: Mode): Record<string, string> {
  const { theme, header } = settings
  const primary = settings.primary[mode]
  const tint = settings.tint?.[mode] ?? primary
  const strength = settings.tint ? 0.16 : 0.045
  const gray = (name: GrayName) => {
    // In the muted theme the page is tinted, and raised surfaces are light.
    const isSoft = theme === 'muted' && name === 'back'
    const lightness = isSoft ? (mode === 'light' ? 0.978 : 0.2) : grayLightness[mode][name]
    const plain = tintedGray(lightness, tint, isSoft ? strength * 1.6 : strength)
    return settings.background === 'match' && name === 'back' ? mixColors(primary, plain, 0.04) : plain
  }
  const [back, raised, sunken, hover] = [gray('back'), gray('raised'), gray('sunken'), gray('hover')]
  const backgrounds = [back, raised, sunken]
  // Secondary text is on the content surface, which is light in the muted theme.
  const page = theme === 'muted' ? raised : back
  const softBackground = (color: string) =>
    mixColors(tintGray(color, tint, strength * 4), page, mode === 'light' ? 0.09 : 0.13)
  /** Returns a text color with enough contrast also on its own soft background. */
  const textColor = (color: string) => ensureContrast(color, [...backgrounds, softBackground(color)])
  const accent = textColor(primary)
  const statusColors = (['info', 'success', 'warning', 'danger'] as const).flatMap((name) => {
    const color = settings[name][mode]
    return [
      [name, textColor(color)],
      [`${name}-soft`, softBackground(color)],
    ]
  })
  const head = headerColors(header.preset === 'default' && theme === 'bold' ? 'bold' : header.preset)
  return {
    back,
    raised,
    sunken,
    hover,
    line: gray('line'),
    'strong-line': gray('strongLine'),
    muted: ensureContrast(gray('muted'), [...backgrounds, hover]),
    text: gray('text'),
    heading: gray('heading'),
    primary,
    'on-primary': textColorOn(primary),
    accent,
    'accent-soft': softBackground(primary),
    ...(Object.fromEntries(statusColors) as Record<string, string>),
    ...head,
  }

  function headerColors(preset: PaletteSettings['header']['preset']): Record<string, string> {
    switch (preset) {
      case 'bold':
        return filledHeaderColors(primary)
      case 'contrast':
        return filledHeaderColors(mode === 'light' ? tintedGray(0.2, tint, strength) : tintedGray(0.97, tint, strength))
      case 'custom':
        return filledHeaderColors(header.background?.[mode] ?? back, header.link?.[mode])
      default:
        return {
          'header-back': back,
          'header-text': gray('heading'),
          'header-muted': ensureContrast(gray('muted'), backgrounds),
          'header-line': gray('line'),
          'header-field': theme === 'muted' ? hover : sunken,
        }
    }
  }
}

/** Returns the properties of a header with its own background; its link color is adjusted to have enough contrast on it. */
function filledHeaderColors(background: string, link?: string): Record<string, string> {
  const text = link === undefined ? textColorOn(background) : ensureContrast(link, [background])
  return {
    'header-back': background,
    'header-text': text,
    'header-muted': ensureContrast(mixColors(text, background, 0.8), [background]),
    'header-line': mixColors(text, background, 0.16),
    'header-field': mixColors(text, background, 0.1),
  }
}
