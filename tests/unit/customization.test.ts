import { expect, test } from 'vitest'
import {
  SiteCustomization,
  SiteCustomizationInput,
  SiteSpaceCustomizationInput,
} from '../../src/contract/customization.ts'
import { siteCustomization } from '../../src/contract/customization-operations.ts'
import { validateRequest } from '../../src/http/validate.ts'
import type { AppError } from '../../src/kernel/errors.ts'
import { findSettingsProblems } from '../../src/publishing/customization-checks.ts'
import {
  applyOverrides,
  completeSettings,
  normalizeSettings,
  resolveSiteSpaceSettings,
  parseStoredSettings,
} from '../../src/publishing/customization.ts'

const url = (name: string) => `https://files.example/${name}.png`
const toUrl = (target: string) => ({ kind: 'url' as const, url: target })
const input = (body: unknown) => SiteCustomizationInput.parse(body)
const patch = (body: unknown) => SiteSpaceCustomizationInput.parse(body)

/** Returns the paths of the rejected fields of a body. */
function refused(operation: 'updateSiteCustomizationById' | 'overrideSiteSpaceCustomizationById', body: unknown) {
  try {
    validateRequest(siteCustomization[operation], { params: {}, query: {}, body })
    return []
  } catch (error) {
    return ((error as AppError).details ?? []).map(({ path }) => path)
  }
}
const refusedForSite = (body: unknown) => refused('updateSiteCustomizationById', body)
const refusedForSpace = (body: unknown) => refused('overrideSiteSpaceCustomizationById', body)

const without = (fields: object, ...names: string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

/** Settings in which every field is set to something other than its default. */
const everything = {
  title: 'Handbook',
  localizedTitle: { de: 'Handbuch' },
  styling: {
    theme: 'bold',
    primaryColor: { light: '#111', dark: '#EEE' },
    infoColor: { light: '#222222', dark: '#DDDDDD' },
    successColor: { light: '#333', dark: '#CCC' },
    warningColor: { light: '#444', dark: '#BBB' },
    dangerColor: { light: '#555', dark: '#AAA' },
    tint: { color: { light: '#666', dark: '#999' } },
    corners: 'circular',
    depth: 'flat',
    links: 'accent',
    font: {
      id: 'f1',
      custom: true,
      fontFamily: 'House Sans',
      fontFaces: [{ weight: 400, sources: [{ url: 'https://files.example/house.woff2', format: 'woff2' }] }],
    },
    headingFont: 'Poppins',
    monospaceFont: 'FiraCode',
    background: 'match',
    icons: 'duotone',
    search: 'prominent',
    codeTheme: {
      default: { light: 'github-light', dark: 'github-dark' },
      openapi: { light: 'one-light', dark: 'nord' },
    },
    sidebar: { background: 'filled', list: 'line' },
  },
  internationalization: { locale: 'pt-br' },
  favicon: { icon: { light: url('day'), dark: url('night') } },
  header: {
    preset: 'custom',
    logo: { light: url('logo'), dark: url('logo-dark') },
    primaryLink: { kind: 'page', page: 'p1', space: 's1' },
    backgroundColor: { light: '#777', dark: '#888' },
    linkColor: { light: '#789', dark: '#987' },
    links: [
      {
        title: 'More',
        localizedTitle: { fr: 'Plus' },
        style: 'button-primary',
        to: null,
        links: [{ title: 'Status', localizedTitle: { fr: 'État' }, to: toUrl('https://status.example/') }],
        condition: 'visitor.claims.beta == true',
      },
    ],
  },
  footer: {
    logo: { light: url('foot'), dark: url('foot-dark') },
    groups: [
      {
        title: 'Company',
        localizedTitle: { de: 'Firma' },
        links: [{ title: 'Space', to: { kind: 'space', space: 's1' } }],
      },
    ],
    copyright: '© Us',
  },
  announcement: {
    enabled: true,
    message: 'New!',
    localizedMessage: { de: 'Neu!' },
    link: { title: 'Read', to: toUrl('/news') },
    style: 'success',
  },
  themes: { default: 'system', toggeable: false },
  pdf: { enabled: false },
  feedback: { enabled: true },
  ai: {
    mode: 'assistant',
    integrationId: 'i1',
    greeting: 'Hello',
    localizedGreeting: { de: 'Hallo' },
    suggestions: ['What is this?'],
    instructions: 'Be brief.',
  },
  advancedCustomization: { enabled: false },
  git: { showEditLink: true },
  pageActions: { externalAI: false, markdown: false, items: ['git', 'mcp'] },
  externalLinks: { target: 'blank' },
  pagination: { enabled: false },
  trademark: { enabled: false },
  privacyPolicy: { url: 'https://us.example/privacy' },
  socialPreview: { url: url('preview') },
  socialAccounts: [{ platform: 'mastodon', handle: '@us', display: { footer: false, header: true } }],
  insights: { trackingCookie: false },
}

test('a site without settings gets every default', () => {
  const settings = completeSettings()
  expect(settings).toMatchObject({
    styling: {
      theme: 'clean',
      primaryColor: { light: '#346DDB', dark: '#346DDB' },
      infoColor: { light: '#2B7FFF', dark: '#2B7FFF' },
      successColor: { light: '#00C950', dark: '#00C950' },
      warningColor: { light: '#FE9A00', dark: '#FE9A00' },
      dangerColor: { light: '#FB2C36', dark: '#FB2C36' },
      corners: 'rounded',
      depth: 'subtle',
      links: 'default',
      font: 'Inter',
      monospaceFont: 'IBMPlexMono',
      background: 'plain',
      icons: 'regular',
      search: 'subtle',
      sidebar: { background: 'default', list: 'default' },
      codeTheme: {
        default: { light: 'default-light', dark: 'default-dark' },
        openapi: { light: 'default-light', dark: 'default-dark' },
      },
    },
    internationalization: { locale: 'en' },
    favicon: {},
    header: { preset: 'default', links: [] },
    footer: { groups: [] },
    themes: { default: 'light', toggeable: true },
    feedback: { enabled: false },
    ai: { mode: 'none' },
    externalLinks: { target: 'self' },
    pagination: { enabled: true },
    trademark: { enabled: true },
    privacyPolicy: {},
    socialPreview: {},
    socialAccounts: [],
    insights: { trackingCookie: true },
  })
  expect(SiteCustomization.parse(settings)).toEqual(settings)
  expect(settings.announcement).toBeUndefined()
})

test('returns a full set of settings as it was sent', () => {
  const stored = JSON.stringify(normalizeSettings(input(everything)))
  expect(completeSettings(parseStoredSettings(stored))).toEqual(everything)
  expect(findSettingsProblems(input(everything))).toEqual([])
})

test('a reply can be sent back and gives the same settings', () => {
  for (const body of [
    {},
    everything,
    { announcement: {}, favicon: { emoji: '🦊' } },
    { styling: { headingFont: null } },
  ]) {
    const answered = completeSettings(normalizeSettings(input(body)))
    expect(SiteCustomization.parse(answered)).toEqual(answered)
    const sentBack = JSON.parse(JSON.stringify({ ...answered, updatedAt: '2026-01-01T00:00:00.000Z' })) as unknown
    expect(refusedForSite(sentBack)).toEqual([])
    expect(completeSettings(normalizeSettings(input(sentBack)))).toEqual(answered)
  }
})

test('completes partial objects with defaults, or with the value of the other color mode', () => {
  const settings = completeSettings(
    input({
      styling: { primaryColor: { light: '#f00' }, tint: { color: { dark: '#0f0' } }, sidebar: { list: 'pill' } },
      favicon: { icon: { light: url('day') } },
      header: { logo: { dark: url('logo') }, links: [{ title: 'Top' }] },
      announcement: { message: 'Soon' },
      ai: { mode: 'search' },
      privacyPolicy: {},
      socialAccounts: [{ platform: 'github', handle: 'us' }],
    }),
  )
  expect(settings).toMatchObject({
    styling: {
      primaryColor: { light: '#f00', dark: '#346DDB' },
      tint: { color: { light: '#0f0', dark: '#0f0' } },
      sidebar: { background: 'default', list: 'pill' },
      theme: 'clean',
    },
    favicon: { icon: { light: url('day'), dark: url('day') } },
    header: { logo: { light: url('logo'), dark: url('logo') }, links: [{ title: 'Top', to: null, links: [] }] },
    announcement: { enabled: false, message: 'Soon', style: 'info' },
    privacyPolicy: {},
    socialAccounts: [{ display: { footer: true, header: false } }],
  })
  expect(settings.styling.headingFont).toBeUndefined()
})

test('page actions follow the deprecated switches unless they are listed', () => {
  const actions = (body: unknown) => completeSettings(input(body)).pageActions.items
  expect(actions({})).toEqual(['external-ai', 'markdown', 'mcp', 'pdf'])
  expect(actions({ pdf: { enabled: false }, git: { showEditLink: true } })).toEqual([
    'external-ai',
    'markdown',
    'mcp',
    'git',
  ])
  expect(actions({ pageActions: { externalAI: false, markdown: false }, pdf: { enabled: false } })).toEqual([])
  expect(actions({ pageActions: { externalAI: true, items: ['mcp'] }, pdf: { enabled: true } })).toEqual(['mcp'])
  expect(completeSettings(input({ pageActions: { items: ['git', 'markdown'] } }))).toMatchObject({
    git: { showEditLink: true },
    pdf: { enabled: false },
    pageActions: { externalAI: false, markdown: true },
  })
})

test('the settings of a space override those of its site', () => {
  const site = input({
    title: 'Docs',
    styling: { theme: 'muted', primaryColor: { light: '#111', dark: '#222' }, font: 'Lato' },
    favicon: { emoji: '🦊' },
    header: { links: [{ title: 'One' }, { title: 'Two' }] },
    announcement: { enabled: true, message: 'For all', style: 'danger' },
  })
  const overrides = applyOverrides(
    undefined,
    patch({
      styling: { primaryColor: { light: '#333' } },
      favicon: { icon: { light: url('day'), dark: url('night') } },
      header: { links: [{ title: 'Three' }], backgroundColor: { light: '#444', dark: '#555' } },
      announcement: { enabled: false },
      internationalization: { locale: 'fr' },
    }),
  )
  expect(resolveSiteSpaceSettings(site, overrides)).toMatchObject({
    title: 'Docs',
    styling: { theme: 'muted', primaryColor: { light: '#333', dark: '#222' }, font: 'Lato' },
    favicon: { icon: { light: url('day'), dark: url('night') } },
    header: { links: [{ title: 'Three', to: null, links: [] }], backgroundColor: { light: '#444', dark: '#555' } },
    announcement: { enabled: false, message: 'For all', style: 'danger' },
    internationalization: { locale: 'fr' },
  })
  expect(resolveSiteSpaceSettings(site)).toEqual(completeSettings(site))
  expect(resolveSiteSpaceSettings(undefined, overrides).title).toBeUndefined()
})

test('a switch of a space changes the page actions listed by its site', () => {
  const site = input({ pageActions: { items: ['mcp', 'pdf', 'markdown'] } })
  const items = (overrides: unknown) =>
    resolveSiteSpaceSettings(site, applyOverrides(undefined, patch(overrides))).pageActions.items
  expect(items({ pdf: { enabled: false }, git: { showEditLink: true } })).toEqual(['mcp', 'markdown', 'git'])
  expect(items({ pdf: { enabled: true }, git: { showEditLink: false } })).toEqual(['mcp', 'pdf', 'markdown'])
  expect(items({ title: 'Other' })).toEqual(['mcp', 'pdf', 'markdown'])
})

test('updating the settings of a space keeps fields that are absent and removes fields that are null', () => {
  let stored = applyOverrides(
    undefined,
    patch({
      title: 'Guide',
      styling: { theme: 'bold', primaryColor: { light: '#111', dark: '#222' }, sidebar: { list: 'pill' } },
      favicon: { emoji: '🦊' },
      footer: { copyright: '© Us' },
      announcement: { message: 'Here', enabled: true },
    }),
  )
  stored = applyOverrides(stored, patch({ styling: { primaryColor: { light: null }, sidebar: { list: null } } }))
  expect(stored).toEqual({
    title: 'Guide',
    styling: { theme: 'bold', primaryColor: { dark: '#222' } },
    favicon: { emoji: '🦊' },
    footer: { copyright: '© Us' },
    announcement: { message: 'Here', enabled: true },
  })
  expect(applyOverrides(stored, patch({ styling: {}, header: {} }))).toEqual(stored)
  stored = applyOverrides(stored, patch({ title: null, favicon: null, footer: { copyright: null }, header: null }))
  expect(stored).toEqual({
    styling: { theme: 'bold', primaryColor: { dark: '#222' } },
    announcement: { message: 'Here', enabled: true },
  })
  expect(applyOverrides(stored, patch({ styling: null, announcement: null }))).toBeUndefined()
  expect(applyOverrides(undefined, patch({ title: null }))).toBeUndefined()
  // An empty favicon overrides the favicon of the site.
  expect(applyOverrides(undefined, patch({ favicon: {} }))).toEqual({ favicon: {} })
})

test('null removes each setting of a space, but is rejected inside an announcement', () => {
  const { announcement, ...others } = everything
  const settings = {
    ...without(others, 'ai', 'advancedCustomization', 'pageActions', 'insights'),
    styling: without(others.styling, 'font', 'monospaceFont'),
  }
  const stored = applyOverrides(undefined, patch({ ...settings, announcement }))
  expect(stored).toEqual({ ...settings, announcement })
  const lists = new Set(['links', 'groups', 'socialAccounts', 'favicon', 'primaryLink', 'localizedTitle'])
  const nulled = (value: object): object =>
    Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        typeof inner === 'object' && inner !== null && !lists.has(name) ? nulled(inner as object) : null,
      ]),
    )
  expect(applyOverrides(stored, patch(nulled(settings)))).toEqual({ announcement })
  expect(refusedForSpace({ announcement: { message: null } })).toEqual(['body.announcement.message'])
})

test('rejects site-wide settings for a space at every level', () => {
  expect(
    refusedForSpace({
      styling: { font: 'Inter', monospaceFont: null, theme: 'bold' },
      ai: { mode: 'none' },
      advancedCustomization: { enabled: true },
      pageActions: { items: [] },
      insights: null,
    }).sort(),
  ).toEqual([
    'body.advancedCustomization',
    'body.ai',
    'body.insights',
    'body.pageActions',
    'body.styling.font',
    'body.styling.monospaceFont',
  ])
})

test.each([
  [{ styling: { primaryColor: { light: 'red' } } }, 'body.styling.primaryColor.light'],
  [{ styling: { primaryColor: { light: '#12345' } } }, 'body.styling.primaryColor.light'],
  [{ styling: { primaryColor: { dark: '#fff;}body{display:none' } } }, 'body.styling.primaryColor.dark'],
  [{ styling: { tint: { color: '#fff' } } }, 'body.styling.tint.color'],
  [{ header: { linkColor: { light: '#ggg' } } }, 'body.header.linkColor.light'],
  [{ header: { logo: { light: 'javascript:alert(1)' } } }, 'body.header.logo.light'],
  [{ favicon: { icon: { dark: `https://x.example/${'a'.repeat(2048)}` } } }, 'body.favicon.icon.dark'],
  [{ favicon: { icon: { light: url('a') }, emoji: '🦊' } }, 'body.favicon.emoji'],
  [{ privacyPolicy: { url: 'ftp://files.example/' } }, 'body.privacyPolicy.url'],
  [{ title: 'x' }, 'body.title'],
  [{ title: 'x'.repeat(129) }, 'body.title'],
  [{ localizedTitle: { klingon: 'tlh' } }, 'body.localizedTitle'],
  [{ styling: { theme: 'neon' } }, 'body.styling.theme'],
  [{ styling: 'bold' }, 'body.styling'],
  [{ themes: { toggeable: 'yes' } }, 'body.themes.toggeable'],
  [{ internationalization: { locale: 'tlh' } }, 'body.internationalization.locale'],
  [{ announcement: { message: '!' } }, 'body.announcement.message'],
  [{ announcement: { message: 'x'.repeat(129) } }, 'body.announcement.message'],
  [{ announcement: { link: { title: 'No target' } } }, 'body.announcement.link.to'],
  [{ header: { links: [{ to: null }] } }, 'body.header.links.0.title'],
  [{ header: { links: [{ title: 'x', to: { kind: 'moon' } }] } }, 'body.header.links.0.to.kind'],
  [
    { header: { links: [{ title: 'x', links: [{ title: 'y'.repeat(65), to: toUrl('/') }] }] } },
    'body.header.links.0.links.0.title',
  ],
  [{ header: { links: Array.from({ length: 51 }, () => ({ title: 'x' })) } }, 'body.header.links'],
  [{ footer: { groups: Array.from({ length: 21 }, () => ({ title: 'x' })) } }, 'body.footer.groups'],
  [{ footer: { copyright: 'x'.repeat(513) } }, 'body.footer.copyright'],
  [{ socialAccounts: Array.from({ length: 11 }, () => ({ platform: 'github', handle: 'x' })) }, 'body.socialAccounts'],
  [{ socialAccounts: [{ platform: 'github', handle: '' }] }, 'body.socialAccounts.0.handle'],
])('rejects %j for a site and for a space', (body, path) => {
  expect(refusedForSite(body)).toEqual([path])
  expect(refusedForSpace(body)).toEqual([path])
})

test.each([
  [{ title: null }, 'body.title'],
  [{ styling: { theme: null } }, 'body.styling.theme'],
  [{ styling: { font: 'Comic Sans' } }, 'body.styling.font'],
  [{ ai: { suggestions: ['a', 'What?'] } }, 'body.ai.suggestions.0'],
  [{ ai: { instructions: 'x'.repeat(10_001) } }, 'body.ai.instructions'],
  [{ pageActions: { items: ['fly'] } }, 'body.pageActions.items.0'],
  [{ insights: { trackingCookie: 1 } }, 'body.insights.trackingCookie'],
])('rejects %j for a site', (body, path) => {
  expect(refusedForSite(body)).toEqual([path])
})

const ownFont = (fontFamily: string, source: string) => ({
  styling: { font: { id: 'f', custom: true, fontFamily, fontFaces: [{ weight: 400, sources: [{ url: source }] }] } },
})

test('rejects a custom font whose name or source could break out of the style sheet', () => {
  expect(refusedForSite(ownFont('House Sans 2', 'https://files.example/a.woff2'))).toEqual([])
  expect(refusedForSite(ownFont('x"; } body { display: none', 'https://files.example/a.woff2'))).toEqual([
    'body.styling.font.fontFamily',
  ])
  expect(refusedForSite(ownFont('House', 'data:font/woff2;base64,AAAA'))).toEqual([
    'body.styling.font.fontFaces.0.sources.0.url',
  ])
})

test('reports script URLs and invalid conditions with their path', () => {
  const problems = findSettingsProblems(
    input({
      header: {
        primaryLink: toUrl(' java\tscript:alert(1)'),
        links: [
          { title: 'Fine', to: toUrl('mailto:us@example.com'), condition: '' },
          { title: 'Not', to: toUrl('JAVASCRIPT:alert(1)'), condition: 'visitor.claims. ==' },
          {
            title: 'Menu',
            links: [
              { title: 'Up', to: toUrl('../up#there') },
              { title: 'Bad', to: toUrl('data:text/html,x') },
            ],
          },
        ],
      },
      footer: {
        groups: [{ title: 'Group', links: [{ title: 'Long', to: toUrl(`https://x.example/${'a'.repeat(2048)}`) }] }],
      },
      announcement: { link: { title: 'No', to: toUrl('vbscript:x') } },
    }),
  )
  expect(problems.map(({ path }) => path)).toEqual([
    'body.header.primaryLink.url',
    'body.header.links.1.to.url',
    'body.header.links.1.condition',
    'body.header.links.2.links.1.to.url',
    'body.footer.groups.0.links.0.to.url',
    'body.announcement.link.to.url',
  ])
})

test('ignores stored settings that are invalid and keeps the others', () => {
  const stored = {
    title: 'Docs',
    styling: { theme: 'sepia', corners: 'straight', primaryColor: { light: 'red', dark: '#111' }, sidebar: 'none' },
    header: { links: [{ title: 'Fine' }, { to: null }], preset: 'bold' },
    favicon: { icon: 'old.png' },
    footer: [],
    socialAccounts: [{ platform: 'orkut', handle: 'us' }],
    retired: { enabled: true },
  }
  expect(parseStoredSettings(JSON.stringify(stored))).toEqual({
    title: 'Docs',
    styling: { corners: 'straight' },
    header: { preset: 'bold' },
  })
  for (const text of ['', '{', 'null', '[]', '7', '"x"', '{"__proto__": 1, "constructor": {}}'])
    expect(completeSettings(parseStoredSettings(text))).toEqual(completeSettings())
  expect(parseStoredSettings(null)).toBeUndefined()
})

test('drops unknown fields at every level', () => {
  const body = {
    styling: { theme: 'bold', glitter: true },
    sound: { enabled: true },
    header: { logo: { light: url('a'), sepia: 1 } },
  }
  expect(normalizeSettings(input(body))).toEqual({ styling: { theme: 'bold' }, header: { logo: { light: url('a') } } })
  expect(applyOverrides(undefined, patch(body))).toEqual(normalizeSettings(input(body)))
})
