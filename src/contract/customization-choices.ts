// The choices of settings of sites, without zod, so that the web app can use them.

export const codeThemes = [
  'default-light',
  'default-dark',
  'monochrome-light',
  'monochrome-dark',
  'andromeeda',
  'aurora-x',
  'ayu-dark',
  'catppuccin-frappe',
  'catppuccin-latte',
  'catppuccin-macchiato',
  'catppuccin-mocha',
  'dark-plus',
  'dracula',
  'dracula-soft',
  'everforest-dark',
  'everforest-light',
  'github-dark',
  'github-dark-default',
  'github-dark-dimmed',
  'github-dark-high-contrast',
  'github-light',
  'github-light-default',
  'github-light-high-contrast',
  'gruvbox-dark-hard',
  'gruvbox-dark-medium',
  'gruvbox-dark-soft',
  'gruvbox-light-hard',
  'gruvbox-light-medium',
  'gruvbox-light-soft',
  'houston',
  'kanagawa-dragon',
  'kanagawa-lotus',
  'kanagawa-wave',
  'laserwave',
  'light-plus',
  'material-theme',
  'material-theme-darker',
  'material-theme-lighter',
  'material-theme-ocean',
  'material-theme-palenight',
  'min-dark',
  'min-light',
  'monokai',
  'night-owl',
  'nord',
  'one-dark-pro',
  'one-light',
  'plastic',
  'poimandres',
  'red',
  'rose-pine',
  'rose-pine-dawn',
  'rose-pine-moon',
  'slack-dark',
  'slack-ochin',
  'snazzy-light',
  'solarized-dark',
  'solarized-light',
  'synthwave-84',
  'tokyo-night',
  'vesper',
  'vitesse-black',
  'vitesse-dark',
  'vitesse-light',
] as const

export const fonts = [
  'ABCFavorit',
  'Inter',
  'Roboto',
  'RobotoSlab',
  'OpenSans',
  'SourceSansPro',
  'Lato',
  'Ubuntu',
  'Raleway',
  'Merriweather',
  'Overpass',
  'NotoSans',
  'IBMPlexSerif',
  'Poppins',
  'FiraSans',
] as const

export const monospaceFonts = [
  'FiraCode',
  'IBMPlexMono',
  'JetBrainsMono',
  'SourceCodePro',
  'RobotoMono',
  'SpaceMono',
  'DMMono',
  'Inconsolata',
] as const

/** Platforms of social accounts. */
export const platforms = [
  'twitter',
  'instagram',
  'facebook',
  'linkedin',
  'github',
  'discord',
  'slack',
  'youtube',
  'tiktok',
  'reddit',
  'bluesky',
  'mastodon',
  'threads',
  'medium',
] as const

/** Languages of the buttons and labels of a site. */
export const locales = ['en', 'fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br', 'ru'] as const

export const styles = {
  theme: ['clean', 'muted', 'bold', 'gradient'],
  corners: ['straight', 'rounded', 'circular'],
  depth: ['subtle', 'flat'],
  links: ['default', 'accent'],
  background: ['plain', 'match'],
  icons: ['regular', 'solid', 'duotone', 'light', 'thin'],
  search: ['prominent', 'subtle'],
} as const

export const sidebarStyles = { background: ['default', 'filled'], list: ['default', 'pill', 'line'] } as const
export const headerPresets = ['default', 'bold', 'contrast', 'custom', 'none'] as const
export const themeModes = ['light', 'dark', 'system'] as const
export const linkTargets = ['self', 'blank'] as const
export const linkStyles = ['link', 'button-primary', 'button-secondary'] as const
export const announcementStyles = ['info', 'warning', 'danger', 'success'] as const
export const pageActions = ['assistant', 'external-ai', 'markdown', 'mcp', 'git', 'pdf'] as const
