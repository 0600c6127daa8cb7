import { type FileObject, readObject } from '../../content/revision/objects.ts'
import { assertPdfAvailable } from '../../domain/pdf/request-pdf.ts'
import { AppError } from '../../kernel/errors.ts'
import type { PdfFile } from '../../pdf/source.ts'
import { readPdfSource, toPdfFile } from '../../resources/pdf/read-source.ts'
import { loadCodePalette } from '../theme/code-themes.ts'
import { toAbsoluteSiteUrl } from '../page/canonical.ts'
import { type PageFrame, readPageFrame } from '../page-frame.ts'
import { ResolvedReferences } from '../../resources/rendered/references.ts'
import { redirectReply, textReply } from '../reply.ts'
import { type OutputHandler, replyPolicyOf } from '../visit.ts'
import type { SitePage, SpaceView } from '../view.ts'

/** Returns the URL of the PDF of a page. */
export const pdfUrlOf = ({ site, item }: SpaceView, { entry }: Pick<SitePage, 'entry'>): string =>
  `${site.session.siteBase}~pdf/${item.id}?page=${encodeURIComponent(entry.id)}`

/** Redirects to the PDF of a page, of a page with those below it, or of a whole site space. */
export const servePdf: OutputHandler = async ({ view, request, requestPdf }, [itemId = '', ...rest]) => {
  const item = view.session.structure.get(itemId, 'space')
  const space = item && rest.length === 0 ? await view.openItem(item) : undefined
  if (!space) return undefined
  const frame = await readPageFrame(space)
  if (!frame.settings.customization.pageActions.items.includes('pdf')) return undefined
  const { searchParams } = new URL(request.url)
  try {
    assertPdfAvailable()
    const source = await readPdfSource(view.context, {
      organizationId: view.session.site.organization_id,
      spaceId: space.item.spaceId ?? '',
      tree: space.tree,
      visitorView: space.visitorView,
      pageId: searchParams.get('page') ?? undefined,
      isSinglePage: searchParams.get('only') !== 'false',
      appearance: await readAppearance(frame),
      loadSpecs: (refs) => space.loadSpecs(refs),
      resolveOutside: async (refs) => {
        const references = await ResolvedReferences.resolve(space, refs)
        return (ref) => {
          const target = references.linkTo(ref)
          if (!target) return undefined
          const { title, href } = target
          return { title, ...(href !== undefined && { url: toAbsoluteSiteUrl(view, href) }) }
        }
      },
    })
    return redirectReply(await requestPdf(view.session.site.organization_id, source))
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    if (error.code === 'notFound') return undefined
    return {
      ...textReply(error.message, 'text/plain', replyPolicyOf(view, false)),
      status: error.status,
      isCacheable: false,
    }
  }
}

async function readAppearance({ space, site, settings, locale }: PageFrame) {
  const { styling } = settings.customization
  const { listedItems } = space.site
  const codePalette = await loadCodePalette(styling.codeTheme.default.light)
  // A site with one space is named by its own title.
  const isAlone = listedItems.length <= 1
  return {
    title: isAlone ? site.title : space.item.title,
    ...(!isAlone && { subtitle: site.title }),
    language: locale,
    direction: site.direction,
    color: styling.primaryColor.light,
    code: { background: codePalette.back, text: codePalette.text, tokens: codePalette.tokens },
    fonts: typeof styling.font === 'string' ? [toFamilyName(styling.font)] : [],
    logo: site.logo && (await findLogo(space, site.logo.light)),
  }
}

/** Returns the family name of a font, such as `Open Sans` for `OpenSans`. */
const toFamilyName = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')

/** Returns the logo of a site: a file of its organization, or an image on another server. */
async function findLogo({ site }: SpaceView, url: string): Promise<PdfFile | undefined> {
  const { context, session } = site
  const hash = url.startsWith(context.urls.plain('/files/'))
    ? /\/files\/[^/]+\/([0-9a-f]{64})\//.exec(url)?.[1]
    : undefined
  if (hash === undefined) return /^https?:\/\//.test(url) ? { name: '', image: { url } } : undefined
  const objects = context.openObjects(context.db, session.site.organization_id)
  const file: FileObject | undefined = await readObject(objects, 'file', hash).catch(() => undefined)
  return file && toPdfFile(file, undefined)
}
