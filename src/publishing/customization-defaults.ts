import type { SiteCustomization } from '../contract/customization.ts'

/** Default settings of a site; settings that are missing here have no default. */
type DefaultSettings = Pick<
  SiteCustomization,
  | 'internationalization'
  | 'themes'
  | 'feedback'
  | 'advancedCustomization'
  | 'externalLinks'
  | 'pagination'
  | 'trademark'
  | 'socialAccounts'
  | 'insights'
> & {
  styling: Omit<SiteCustomization['styling'], 'tint' | 'headingFont'>
  header: Pick<SiteCustomization['header'], 'preset' | 'links'>
  footer: Pick<SiteCustomization['footer'], 'groups'>
  ai: Pick<SiteCustomization['ai'], 'mode'>
}

const inBothModes = (color: string) => ({ light: color, dark: color })
const codeTheme = { light: 'default-light', dark: 'default-dark' } as const

export const defaultSettings: DefaultSettings = {
  styling: {
    theme: 'clean',
    primaryColor: inBothModes('#346DDB'),
    infoColor: inBothModes('#2B7FFF'),
    successColor: inBothModes('#00C950'),
    warningColor: inBothModes('#FE9A00'),
    dangerColor: inBothModes('#FB2C36'),
    corners: 'rounded',
    depth: 'subtle',
    links: 'default',
    font: 'Inter',
    monospaceFont: 'IBMPlexMono',
    background: 'plain',
    icons: 'regular',
    codeTheme: { default: codeTheme, openapi: codeTheme },
    sidebar: { background: 'default', list: 'default' },
    search: 'subtle',
  },
  internationalization: { locale: 'en' },
  header: { preset: 'default', links: [] },
  footer: { groups: [] },
  themes: { default: 'light', toggeable: true },
  feedback: { enabled: false },
  ai: { mode: 'none' },
  advancedCustomization: { enabled: true },
  externalLinks: { target: 'self' },
  pagination: { enabled: true },
  trademark: { enabled: true },
  socialAccounts: [],
  insights: { trackingCookie: true },
}
