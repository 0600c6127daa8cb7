import { grey, mix, on, readable, tinted } from './colours.ts'

/** A value in light and in dark mode. */
export interface Themed {
  light: string
  dark: string
}

export interface PaletteSettings {
  theme: 'clean' | 'muted' | 'bold' | 'gradient'
  /** Whether the background is tinted with the primary color. */
  background: 'plain' | 'match'
  primary: Themed
  tint: Themed | undefined
  info: Themed
  success: Themed
  warning: Themed
  danger: Themed
  header: {
    preset: 'default' | 'bold' | 'contrast' | 'custom' | 'none'
    background: Themed | undefined
    link: Themed | undefined
  }
}

type Mode = keyof Themed

/** Lightness of the grays. Every text color has enough contrast on every background, with any tint. */
const greys = {
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

type Grey = keyof (typeof greys)['light']

/** Returns the colors of a site as custom properties for both modes. Text colors are adjusted to have enough contrast. */
export function paletteStyle(settings: PaletteSettings): string {
  const [light, dark] = [colorsOf(settings, 'light'), colorsOf(settings, 'dark')]
  return Object.entries(light)
    .map(([name, value]) => `--${name}:light-dark(${value},${dark[name] ?? value});`)
    .join('')
}

function colorsOf(settings: PaletteSettings, mode: Mode): Record<string, string> {
  const { theme, header } = settings
  const primary = settings.primary[mode]
  const tint = settings.tint?.[mode] ?? primary
  const strength = settings.tint ? 0.16 : 0.045
  const step = (name: Grey) => {
    // In the muted theme the page is tinted, and raised surfaces are light.
    const isSoft = theme === 'muted' && name === 'back'
    const lightness = isSoft ? (mode === 'light' ? 0.978 : 0.2) : greys[mode][name]
    const plain = grey(lightness, tint, isSoft ? strength * 1.6 : strength)
    return settings.background === 'match' && name === 'back' ? mix(primary, plain, 0.04) : plain
  }
  const [back, raised, sunken, hover] = [step('back'), step('raised'), step('sunken'), step('hover')]
  const backgrounds = [back, raised, sunken]
  // Secondary text is on the content surface, which is light in the muted theme.
  const page = theme === 'muted' ? raised : back
  const soft = (color: string) => mix(tinted(color, tint, strength * 4), page, mode === 'light' ? 0.09 : 0.13)
  /** Returns a text color with enough contrast also on its own soft background. */
  const told = (color: string) => readable(color, [...backgrounds, soft(color)])
  const accent = told(primary)
  const signals = (['info', 'success', 'warning', 'danger'] as const).flatMap((name) => {
    const color = settings[name][mode]
    return [
      [name, told(color)],
      [`${name}-soft`, soft(color)],
    ]
  })
  const head = headerOf(header.preset === 'default' && theme === 'bold' ? 'bold' : header.preset)
  return {
    back,
    raised,
    sunken,
    hover,
    line: step('line'),
    'strong-line': step('strongLine'),
    muted: readable(step('muted'), [...backgrounds, hover]),
    text: step('text'),
    heading: step('heading'),
    primary,
    'on-primary': on(primary),
    accent,
    'accent-soft': soft(primary),
    ...(Object.fromEntries(signals) as Record<string, string>),
    ...head,
  }

  function headerOf(preset: PaletteSettings['header']['preset']): Record<string, string> {
    switch (preset) {
      case 'bold':
        return filled(primary)
      case 'contrast':
        return filled(mode === 'light' ? grey(0.2, tint, strength) : grey(0.97, tint, strength))
      case 'custom':
        return filled(header.background?.[mode] ?? back, header.link?.[mode])
      default:
        return {
          'header-back': back,
          'header-text': step('heading'),
          'header-muted': readable(step('muted'), backgrounds),
          'header-line': step('line'),
          'header-field': theme === 'muted' ? hover : sunken,
        }
    }
  }
}

/** Returns the properties of a header with its own background; its link color is adjusted to have enough contrast on it. */
function filled(background: string, link?: string): Record<string, string> {
  const text = link === undefined ? on(background) : readable(link, [background])
  return {
    'header-back': background,
    'header-text': text,
    'header-muted': readable(mix(text, background, 0.8), [background]),
    'header-line': mix(text, background, 0.16),
    'header-field': mix(text, background, 0.1),
  }
}
