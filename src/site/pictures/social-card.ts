import { type Canvas, GlobalFonts, Image, type SKRSContext2D, createCanvas } from '@napi-rs/canvas'
import { readFileSync } from 'node:fs'
import { textColorOn, ensureContrast } from '../../render/colors.ts'
import { initialOf } from '../theme/initial.ts'
import { isDecodable } from '../../files/decoding-cost.ts'
import { fitLines, removeUndrawable } from './social-text.ts'

/** Content of the social preview image of a page. */
export interface SocialCard {
  siteTitle: string
  title: string
  description?: string | undefined
  section?: string | undefined
  /** Primary color of the site, such as `#346ddb`. */
  colour: string
  /** Bytes of an image. */
  logo?: Uint8Array | undefined
  fonts: { regular: readonly string[]; bold: readonly string[] }
}

/** Dimensions recommended by social networks. */
const [width, height] = [1200, 630]
const margin = 80
const contentWidth = width - margin * 2
const colours = { title: '#15161a', text: '#5b5e68', line: '#e7e8ec', background: '#ffffff' }

export async function drawSocialCard(card: SocialCard): Promise<Uint8Array> {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  const fonts = loadCardFonts(card.fonts)
  drawBackground(context, card.colour)
  await drawSite(context, card, fonts)
  drawPage(context, card, fonts)
  return await encodePng(canvas)
}

const encodePng = (canvas: Canvas): Promise<Uint8Array> => canvas.encode('png')

function drawBackground(context: SKRSContext2D, colour: string): void {
  context.fillStyle = colours.background
  context.fillRect(0, 0, width, height)
  const glow = context.createRadialGradient(width, 0, 0, width, 0, 760)
  glow.addColorStop(0, withAlpha(colour, 0.2))
  glow.addColorStop(1, withAlpha(colour, 0))
  context.fillStyle = glow
  context.fillRect(0, 0, width, height)
  context.fillStyle = colour
  context.fillRect(0, height - 12, width, 12)
}

/** Draws the logo or its replacement letter, and the name of the site. */
async function drawSite(
  context: SKRSContext2D,
  { siteTitle, colour, logo }: SocialCard,
  fonts: CardFonts,
): Promise<void> {
  const size = 64
  const image = logo && (await decodeImage(logo))
  if (image) {
    const scale = Math.min(size / image.height, contentWidth / 2 / image.width)
    context.drawImage(image, margin, margin, image.width * scale, image.height * scale)
    // A wide logo already contains the name.
    if (image.width > image.height * 1.5) return
  } else {
    context.fillStyle = colour
    context.beginPath()
    context.roundRect(margin, margin, size, size, 16)
    context.fill()
    fonts.bold(context, 36)
    context.fillStyle = textColorOn(colour)
    context.textAlign = 'center'
    context.fillText(removeUndrawable(context, initialOf(siteTitle)), margin + size / 2, margin + 45)
    context.textAlign = 'left'
  }
  fonts.bold(context, 32)
  context.fillStyle = colours.title
  const [name = ''] = fitLines(context, siteTitle, contentWidth - size - 24, 1)
  context.fillText(name, margin + size + 24, margin + 43)
}

/** Draws title and description from the bottom up, so that the space between them and the site name varies. */
function drawPage(context: SKRSContext2D, { title, description, section, colour }: SocialCard, fonts: CardFonts): void {
  let baseline = height - margin - 18
  fonts.regular(context, 32)
  context.fillStyle = colours.text
  const descriptionLines = fitLines(context, description ?? '', contentWidth - 60, 2)
  for (const line of descriptionLines.toReversed()) {
    context.fillText(line, margin, baseline)
    baseline -= 46
  }
  if (descriptionLines.length > 0) baseline -= 26
  context.fillStyle = colours.title
  const { lines, size } = fitTitle(context, title, fonts)
  if (lines.length === 0) return drawBars(context, colour)
  fonts.bold(context, size)
  context.letterSpacing = `${-size / 45}px`
  for (const line of lines.toReversed()) {
    context.fillText(line, margin - size / 24, baseline)
    baseline -= size * 1.16
  }
  context.letterSpacing = '0px'
  fonts.bold(context, 28)
  context.fillStyle = ensureContrast(colour, [colours.background])
  const [label] = fitLines(context, section ?? '', contentWidth, 1)
  if (label !== undefined) context.fillText(label, margin, baseline - 4)
}

/** Draws placeholder bars for a text that no available font can show. */
function drawBars(context: SKRSContext2D, colour: string): void {
  context.fillStyle = withAlpha(colour, 0.16)
  for (const [index, length] of [0.62, 0.8, 0.44].entries()) {
    context.beginPath()
    context.roundRect(margin, height - 300 + index * 68, contentWidth * length, 36, 18)
    context.fill()
  }
}

/** Returns the lines of a title in the largest size that fits few lines. */
function fitTitle(context: SKRSContext2D, title: string, fonts: CardFonts): { lines: string[]; size: number } {
  for (const [size, maxLines] of [
    [84, 1],
    [72, 2],
  ] as const) {
    fonts.bold(context, size)
    const lines = fitLines(context, title, contentWidth, maxLines + 1)
    if (lines.length <= maxLines) return { lines, size }
  }
  fonts.bold(context, 60)
  return { lines: fitLines(context, title, contentWidth, 3), size: 60 }
}

async function decodeImage(bytes: Uint8Array): Promise<Image | undefined> {
  if (!isDecodable(bytes)) return undefined
  try {
    const image = new Image()
    image.src = bytes
    await image.decode()
    return image.width > 0 && image.height > 0 ? image : undefined
  } catch {
    return undefined
  }
}

function withAlpha(colour: string, alpha: number): string {
  const full = colour.length === 4 ? colour.replace(/[^#]/g, '$&$&') : colour
  return `${full}${Math.round(alpha * 255)
    .toString(16)
    .padStart(2, '0')}`
}

/** System fonts for scripts that the bundled fonts do not cover; most systems have some of them. */
const systemFonts = [
  'Noto Sans CJK SC',
  'Noto Sans CJK JP',
  'Noto Sans CJK KR',
  'PingFang SC',
  'Hiragino Sans',
  'Microsoft YaHei',
  'WenQuanYi Zen Hei',
  'Noto Sans Arabic',
  'Noto Sans Hebrew',
  'Noto Sans Thai',
  'Noto Color Emoji',
  'Apple Color Emoji',
  'Segoe UI Emoji',
  'DejaVu Sans',
].map((name) => `"${name}"`)

interface CardFonts {
  regular(context: SKRSContext2D, size: number): void
  bold(context: SKRSContext2D, size: number): void
}

const registeredFamilies = new Map<string, string>()

/** Registers font files, each as a separate family, because a font consists of one file for each script. */
function loadCardFonts({ regular, bold }: SocialCard['fonts']): CardFonts {
  return { regular: loadFont(regular, 400), bold: loadFont(bold, 700) }
}

function loadFont(files: readonly string[], weight: number): CardFonts['regular'] {
  const families = [...new Set(files.map(registerFont)), ...systemFonts].join(', ')
  return (context, size) => {
    context.font = `${size}px ${families}`
    // Variable fonts select the weight by an axis; other files already have the weight.
    context.fontVariationSettings = `"wght" ${weight}`
  }
}

function registerFont(file: string): string {
  const registered = registeredFamilies.get(file)
  if (registered !== undefined) return registered
  const family = `octavo-${registeredFamilies.size}`
  GlobalFonts.register(readFileSync(file), family)
  registeredFamilies.set(file, family)
  return family
}
