import { z } from 'zod'
import {
  announcementStyles,
  codeThemes,
  fonts,
  linkStyles,
  monospaceFonts,
  pageActions,
  platforms,
} from './customization-choices.ts'
import { ContentRef } from './document.ts'
import { HttpUrl } from './shared.ts'
import { localizedText } from './site.ts'

const Color = z
  .string()
  .regex(/^#(?:[0-9a-fA-F]{3}){1,2}$/, 'must be a hex color such as #3a7 or #33aa77')
  .describe('Hex color, for example `#346DDB`')

export const CodeTheme = z.enum(codeThemes).meta({ id: 'CustomizationCodeTheme' })

/** A value for light and one for dark mode. */
const themed = <Value extends z.ZodType>(value: Value) => z.object({ light: value, dark: value })

export const ThemedColor = themed(Color)
export const ThemedCodeTheme = themed(CodeTheme)

const FontFaces = z
  .array(
    z.object({
      weight: z.int().min(1).max(1000),
      sources: z
        .array(z.object({ url: HttpUrl, format: z.enum(['woff2', 'woff']).optional() }))
        .min(1)
        .max(10),
    }),
  )
  .min(1)
  .max(50)

const CustomFont = z
  .object({
    id: z.string().max(256),
    custom: z.boolean(),
    fontFamily: z
      .string()
      .min(1)
      .max(50)
      .regex(/^[^"'\\;{}<>\p{Cc}]+$/u, 'must be a font family name'),
    fontFaces: FontFaces,
  })
  .meta({ id: 'CustomizationFont' })

const fontSchema = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.union([z.enum(names), CustomFont])

export const Font = fontSchema(fonts)

export const MonospaceFont = fontSchema(monospaceFonts)

export const ContentLink = z.object({
  title: z.string().max(64),
  localizedTitle: localizedText(64).optional(),
  to: ContentRef,
})

const LinkTitle = z.string().max(128)
const links = z.array(ContentLink).max(50)

export const HeaderLink = z.object({
  title: LinkTitle,
  localizedTitle: localizedText(128).optional(),
  style: z.enum(linkStyles).optional(),
  to: ContentRef.nullable()
    .default(null)
    .describe('Link target; null for the title of a menu that is not a link itself'),
  links: links.default([]).describe('Links of the dropdown menu'),
  condition: z
    .string()
    .max(1024)
    .optional()
    .describe('Expression that decides which visitors see the link; an empty string shows it to all'),
})

export const FooterGroup = z.object({
  title: LinkTitle,
  localizedTitle: localizedText(128).optional(),
  links: links.default([]),
})

export const announcementFields = {
  enabled: z.boolean(),
  message: z
    .string()
    .max(128)
    .refine((message) => message.length !== 1, 'must have at least 2 characters')
    .describe('Nothing is shown when the message is empty'),
  localizedMessage: localizedText(128).optional(),
  link: ContentLink.optional(),
  style: z.enum(announcementStyles),
}

export const SocialAccount = z.object({
  platform: z.enum(platforms),
  handle: z.string().min(1).max(128),
  display: z.object({ footer: z.boolean().default(true), header: z.boolean().default(false) }).prefault({}),
})

export const PageAction = z.enum(pageActions)
export type PageAction = z.infer<typeof PageAction>
