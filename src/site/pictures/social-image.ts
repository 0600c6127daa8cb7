import { DrawingOverloadedError, drawInProcess } from './drawing.ts'
import type { SocialCard } from './social-card.ts'
import { type FontSetting, findFontFiles } from '../theme/fonts.ts'

/** Draws the social preview image of a page, a PNG of 1200 by 630 pixels; undefined if it cannot be drawn. */
export async function drawSocialImage({
  font,
  ...card
}: Omit<SocialCard, 'fonts'> & { font: FontSetting }): Promise<Uint8Array | undefined> {
  // Inter covers scripts that other fonts do not.
  const filesFor = (weight: number) => [...findFontFiles(font, weight), ...findFontFiles('Inter', weight)]
  const fonts = { regular: filesFor(400), bold: filesFor(700) }
  try {
    return await drawInProcess(() => Promise.resolve({ kind: 'social card', card: { ...card, fonts } }))
  } catch (error) {
    if (error instanceof DrawingOverloadedError) return undefined
    throw error
  }
}
