import { type Canvas, GlobalFonts, Image, type SKRSContext2D, createCanvas } from '@napi-rs/canvas'
import { readFileSync } from 'node:fs'
import { on, readable } from '../../render/colours.ts'
import { letterOf } from '../look/letter-mark.ts'
import { isDecodable } from './resize.ts'
import { fitLines, withoutMissing } from './social-text.ts'

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
const room = width - margin * 2
const ink = { title: '#15161a', text: '#5b5e68', line: '#e7e8ec', paper: '#ffffff' }

export async function drawSocialCard(card: SocialCard): Promise<Uint8Array> {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  const letters = lettersOf(card.fonts)
  drawPaper(context, card.colour)
  await drawSite(context, card, letters)
  drawPage(context, card, letters)
  return await encoded(canvas)
}

const encoded = (canvas: Canvas): Promise<Uint8Array> => canvas.encode('png')

function drawPaper(context: SKRSContext2D, colour: string): void {
  context.fillStyle = ink.paper
  context.fillRect(0, 0, width, height)
  const glow = context.createRadialGradient(width, 0, 0, width, 0, 760)
  glow.addColorStop(0, faint(colour, 0.2))
  glow.addColorStop(1, faint(colour, 0))
  context.fillStyle = glow
  context.fillRect(0, 0, width, height)
  context.fillStyle = colour
  context.fillRect(0, height - 12, width, 12)
}

/** Draws the logo or its replacement letter, and the name of the site. */
async function drawSite(
  context: SKRSContext2D,
  { siteTitle, colour, logo }: SocialCard,
  letters: Letters,
): Promise<void> {
  const size = 64
  const image = logo && (await pictureOf(logo))
  if (image) {
    const scale = Math.min(size / image.height, room / 2 / image.width)
    context.drawImage(image, margin, margin, image.width * scale, image.height * scale)
    // A wide logo already contains the name.
    if (image.width > image.height * 1.5) return
  } else {
    context.fillStyle = colour
    context.beginPath()
    context.roundRect(margin, margin, size, size, 16)
    context.fill()
    letters.bold(context, 36)
    context.fillStyle = on(colour)
    context.textAlign = 'center'
    context.fillText(withoutMissing(context, letterOf(siteTitle)), margin + size / 2, margin + 45)
    context.textAlign = 'left'
  }
  letters.bold(context, 32)
  context.fillStyle = ink.title
  const [name = ''] = fitLines(context, siteTitle, room - size - 24, 1)
  context.fillText(name, margin + size + 24, margin + 43)
}

/** Draws title and description from the bottom up, so that the space between them and the site name varies. */
function drawPage(context: SKRSContext2D, { title, description, section, colour }: SocialCard, letters: Letters): void {
  let baseline = height - margin - 18
  letters.regular(context, 32)
  context.fillStyle = ink.text
  const described = fitLines(context, description ?? '', room - 60, 2)
  for (const line of described.toReversed()) {
    context.fillText(line, margin, baseline)
    baseline -= 46
  }
  if (described.length > 0) baseline -= 26
  context.fillStyle = ink.title
  const { lines, size } = fitTitle(context, title, letters)
  if (lines.length === 0) return drawBars(context, colour)
  letters.bold(context, size)
  context.letterSpacing = `${-size / 45}px`
  for (const line of lines.toReversed()) {
    context.fillText(line, margin - size / 24, baseline)
    baseline -= size * 1.16
  }
  context.letterSpacing = '0px'
  letters.bold(context, 28)
  context.fillStyle = readable(colour, [ink.paper])
  const [label] = fitLines(context, section ?? '', room, 1)
  if (label !== undefined) context.fillText(label, margin, baseline - 4)
}

/** Draws placeholder bars for a text that no available font can show. */
function drawBars(context: SKRSContext2D, colour: string): void {
  context.fillStyle = faint(colour, 0.16)
  for (const [index, length] of [0.62, 0.8, 0.44].entries()) {
    context.beginPath()
    context.roundRect(margin, height - 300 + index * 68, room * length, 36, 18)
    context.fill()
  }
}

/** Returns the lines of a title in the largest size that fits few lines. */
function fitTitle(context: SKRSContext2D, title: string, letters: Letters): { lines: string[]; size: number } {
  for (const [size, most] of [
    [84, 1],
    [72, 2],
  ] as const) {
    letters.bold(context, size)
    const lines = fitLines(context, title, room, most + 1)
    if (lines.length <= most) return { lines, size }
  }
  letters.bold(context, 60)
  return { lines: fitLines(context, title, room, 3), size: 60 }
}

async function pictureOf(bytes: Uint8Array): Promise<Image | undefined> {
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

function faint(colour: string, strength: number): string {
  const full = colour.length === 4 ? colour.replace(/[^#]/g, '$&$&') : colour
  return `${full}${Math.round(strength * 255)
    .toString(16)
    .padStart(2, '0')}`
}

/** System fonts for scripts that the bundled fonts do not cover; most systems have some of them. */
const ofTheSystem = [
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

interface Letters {
  regular(context: SKRSContext2D, size: number): void
  bold(context: SKRSContext2D, size: number): void
}

const known = new Map<string, string>()

/** Registers font files, each as a family of its own, because a font consists of one file for each script. */
function lettersOf({ regular, bold }: SocialCard['fonts']): Letters {
  return { regular: lettersIn(regular, 400), bold: lettersIn(bold, 700) }
}

function lettersIn(files: readonly string[], weight: number): Letters['regular'] {
  const families = [...new Set(files.map(familyOf)), ...ofTheSystem].join(', ')
  return (context, size) => {
    context.font = `${size}px ${families}`
    // Variable fonts select the weight by an axis; other files already have the weight.
    context.fontVariationSettings = `"wght" ${weight}`
  }
}

function familyOf(file: string): string {
  const before = known.get(file)
  if (before !== undefined) return before
  const family = `octavo-${known.size}`
  GlobalFonts.register(readFileSync(file), family)
  known.set(file, family)
  return family
}
