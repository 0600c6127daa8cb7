import type { LanguageTexts } from '../translation.ts'
import common from './common.ts'

/** Texts of the interface in Japanese. */
const texts: LanguageTexts = {
  common,
  areas: {
    home: () => import('./home.ts'),
    imports: () => import('./imports.ts'),
    space: () => import('./space.ts'),
    'space-tools': () => import('./space-tools.ts'),
    'change-requests': () => import('./change-requests.ts'),
    editor: () => import('./editor.ts'),
    sites: () => import('./sites.ts'),
    customize: () => import('./customize.ts'),
    administration: () => import('./administration.ts'),
    audit: () => import('./audit.ts'),
    account: () => import('./account.ts'),
    specs: () => import('./specs.ts'),
    translations: () => import('./translations.ts'),
  },
}

export default texts
