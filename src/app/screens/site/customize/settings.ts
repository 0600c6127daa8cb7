import * as choices from '../../../../contract/customization-choices.ts'
import { settingTexts } from './setting-texts.ts'

/** Describes how a setting is edited. `path` is its path in the settings. */
export type Setting = {
  path: string
  /** Name of its label in the texts. */
  label: keyof typeof settingTexts
  /** Whether it applies to the whole site and cannot be overridden by a space. */
  isSiteOnly?: true
  /** Whether it exists only for spaces; the site has another setting for it. */
  isSpaceOnly?: true
  /** Path and value of another setting without which this one has no effect. */
  onlyWith?: readonly [path: string, value: unknown]
} & (
  | { kind: 'choice'; values: readonly string[]; names?: (value: string) => string; isOptional?: true }
  | { kind: 'font'; values: readonly string[]; isOptional?: true }
  | { kind: 'color'; role?: 'text' | 'header'; isOptional?: true }
  | { kind: 'switch' }
  | { kind: 'text'; maxLength: number; type?: 'text' | 'url'; isOptional?: true }
  | { kind: 'image' }
  | {
      kind:
        | 'favicon'
        | 'link'
        | 'headerLinks'
        | 'footerGroups'
        | 'announcementLink'
        | 'social'
        | 'actions'
        | 'localized'
    }
)

export interface SettingGroup {
  name: 'colors' | 'fonts' | 'brand' | 'header' | 'footer' | 'announcement' | 'pages' | 'code' | 'language' | 'privacy'
  settings: readonly Setting[]
}

export const settingGroups: readonly SettingGroup[] = [
  {
    name: 'colors',
    settings: [
      {
        path: 'styling.theme',
        label: 'theme',
        kind: 'choice',
        values: choices.styles.theme,
      },
      { path: 'styling.primaryColor', label: 'primaryColor', kind: 'color', role: 'text' },
      { path: 'styling.tint.color', label: 'tint', kind: 'color', isOptional: true },
      {
        path: 'styling.background',
        label: 'background',
        kind: 'choice',
        values: choices.styles.background,
      },
      {
        path: 'themes.default',
        label: 'mode',
        kind: 'choice',
        values: choices.themeModes,
      },
      { path: 'themes.toggeable', label: 'canToggle', kind: 'switch' },
      { path: 'styling.infoColor', label: 'infoColor', kind: 'color', role: 'text' },
      { path: 'styling.successColor', label: 'successColor', kind: 'color', role: 'text' },
      { path: 'styling.warningColor', label: 'warningColor', kind: 'color', role: 'text' },
      { path: 'styling.dangerColor', label: 'dangerColor', kind: 'color', role: 'text' },
    ],
  },
  {
    name: 'fonts',
    settings: [
      { path: 'styling.font', label: 'font', kind: 'font', values: choices.fonts, isSiteOnly: true },
      { path: 'styling.headingFont', label: 'headingFont', kind: 'font', values: choices.fonts, isOptional: true },
      {
        path: 'styling.monospaceFont',
        label: 'monospaceFont',
        kind: 'font',
        values: choices.monospaceFonts,
        isSiteOnly: true,
      },
      {
        path: 'styling.corners',
        label: 'corners',
        kind: 'choice',
        values: choices.styles.corners,
      },
      {
        path: 'styling.depth',
        label: 'depth',
        kind: 'choice',
        values: choices.styles.depth,
      },
      {
        path: 'styling.links',
        label: 'links',
        kind: 'choice',
        values: choices.styles.links,
      },
      {
        path: 'styling.icons',
        label: 'icons',
        kind: 'choice',
        values: choices.styles.icons,
      },
      {
        path: 'styling.sidebar.background',
        label: 'sidebar',
        kind: 'choice',
        values: choices.sidebarStyles.background,
      },
      {
        path: 'styling.sidebar.list',
        label: 'sidebarList',
        kind: 'choice',
        values: choices.sidebarStyles.list,
      },
    ],
  },
  {
    name: 'brand',
    settings: [
      { path: 'title', label: 'title', kind: 'text', maxLength: 128, isOptional: true },
      { path: 'localizedTitle', label: 'localizedTitle', kind: 'localized' },
      { path: 'header.logo', label: 'logo', kind: 'image' },
      { path: 'favicon', label: 'favicon', kind: 'favicon' },
      {
        path: 'socialPreview.url',
        label: 'socialPreview',
        kind: 'text',
        type: 'url',
        maxLength: 2048,
        isOptional: true,
      },
    ],
  },
  {
    name: 'header',
    settings: [
      {
        path: 'header.preset',
        label: 'headerPreset',
        kind: 'choice',
        values: choices.headerPresets,
      },
      {
        path: 'header.backgroundColor',
        label: 'headerBackground',
        kind: 'color',
        isOptional: true,
        onlyWith: ['header.preset', 'custom'],
      },
      {
        path: 'header.linkColor',
        label: 'headerLinkColor',
        kind: 'color',
        role: 'header',
        isOptional: true,
        onlyWith: ['header.preset', 'custom'],
      },
      {
        path: 'styling.search',
        label: 'search',
        kind: 'choice',
        values: choices.styles.search,
      },
      { path: 'header.primaryLink', label: 'primaryLink', kind: 'link' },
      { path: 'header.links', label: 'headerLinks', kind: 'headerLinks' },
    ],
  },
  {
    name: 'footer',
    settings: [
      { path: 'footer.logo', label: 'footerLogo', kind: 'image' },
      { path: 'footer.copyright', label: 'copyright', kind: 'text', maxLength: 512, isOptional: true },
      { path: 'footer.groups', label: 'footerGroups', kind: 'footerGroups' },
      { path: 'socialAccounts', label: 'socialAccounts', kind: 'social' },
    ],
  },
  {
    name: 'announcement',
    settings: [
      { path: 'announcement.enabled', label: 'announcement', kind: 'switch' },
      { path: 'announcement.message', label: 'message', kind: 'text', maxLength: 128 },
      {
        path: 'announcement.style',
        label: 'announcementStyle',
        kind: 'choice',
        values: choices.announcementStyles,
      },
      { path: 'announcement.link', label: 'announcementLink', kind: 'announcementLink' },
      { path: 'announcement.localizedMessage', label: 'localizedMessage', kind: 'localized' },
    ],
  },
  {
    name: 'pages',
    settings: [
      { path: 'pageActions.items', label: 'pageActions', kind: 'actions', isSiteOnly: true },
      { path: 'git.showEditLink', label: 'editLink', kind: 'switch', isSpaceOnly: true },
      { path: 'pdf.enabled', label: 'pdf', kind: 'switch', isSpaceOnly: true },
      { path: 'pagination.enabled', label: 'pagination', kind: 'switch' },
      { path: 'feedback.enabled', label: 'feedback', kind: 'switch' },
      {
        path: 'externalLinks.target',
        label: 'externalLinks',
        kind: 'choice',
        values: choices.linkTargets,
      },
    ],
  },
  {
    name: 'code',
    settings: [
      {
        path: 'styling.codeTheme.default.light',
        label: 'codeThemeLight',
        kind: 'choice',
        values: choices.codeThemes,
        names: (value) => value,
      },
      {
        path: 'styling.codeTheme.default.dark',
        label: 'codeThemeDark',
        kind: 'choice',
        values: choices.codeThemes,
        names: (value) => value,
      },
    ],
  },
  {
    name: 'language',
    settings: [
      {
        path: 'internationalization.locale',
        label: 'locale',
        kind: 'choice',
        values: choices.locales,
        names: (value) => new Intl.DisplayNames([value], { type: 'language' }).of(value) ?? value,
      },
    ],
  },
  {
    name: 'privacy',
    settings: [
      { path: 'insights.trackingCookie', label: 'trackingCookie', kind: 'switch', isSiteOnly: true },
      {
        path: 'privacyPolicy.url',
        label: 'privacyPolicy',
        kind: 'text',
        type: 'url',
        maxLength: 2048,
        isOptional: true,
      },
      { path: 'trademark.enabled', label: 'trademark', kind: 'switch' },
    ],
  },
]
