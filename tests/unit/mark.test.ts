import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { logoForTitle } from '../../src/render/logo.ts'
import { completeSettings } from '../../src/publishing/customization.ts'
import { renderFavicon } from '../../src/site/theme/favicon.ts'

const logo = readFileSync(new URL('../../assets/logo.svg', import.meta.url), 'utf8').trim()

const iconOf = (title: string) => decodeURIComponent(renderFavicon(completeSettings(), title).text)

test('the mark on pages is the logo of the repository', () => {
  expect(logoForTitle('Octavo')?.text).toBe(logo)
  expect(logoForTitle('Handbook')).toBeUndefined()
})

test('the favicon is the mark for pages of Octavo and the first letter for other sites', () => {
  expect(iconOf('Octavo')).toContain(logo)
  expect(iconOf('Handbook')).toMatch(/>H<\/text>/)
})
