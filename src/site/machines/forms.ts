import type { SiteReply } from '../../kernel/site-http.ts'
import { addressIn, locatePath } from '../../resources/urls/locate.ts'
import { feedAddress, serveFeed } from './feed.ts'
import { serveFullTextOf, serveIndexOf } from './llms.ts'
import { markdownAddress, serveMarkdown } from './markdown.ts'
import { redirectReply } from '../reply.ts'
import type { PageOutput, SiteVisit } from '../visit.ts'
import { SiteView } from '../view.ts'

/** Other format of a page, selected by the end of the URL. */
interface Form {
  /** Path of the page itself. */
  segments: readonly string[]
  output: PageOutput
  /** Returns the URL of this format for the URL of a page. */
  addressFor: (address: string) => string
}

const named: Readonly<Record<string, Omit<Form, 'segments'>>> = {
  'index.md': { output: serveMarkdown, addressFor: markdownAddress },
  'rss.xml': { output: serveFeed, addressFor: feedAddress },
  'llms.txt': { output: serveIndexOf, addressFor: (address) => `${address}llms.txt` },
  'llms-full.txt': { output: serveFullTextOf, addressFor: (address) => `${address}llms-full.txt` },
}

function formsOf(segments: readonly string[]): Form[] {
  const last = segments.at(-1) ?? ''
  const above = segments.slice(0, -1)
  const forms: Form[] = []
  if (/.\.md$/i.test(last)) {
    forms.push({ segments: [...above, last.slice(0, -3)], output: serveMarkdown, addressFor: markdownAddress })
  }
  const form = Object.hasOwn(named, last) ? named[last] : undefined
  return form ? [...forms, { ...form, segments: above }] : forms
}

/** Serves a page in another format if the path ends with one. */
export async function serveForm(visit: SiteVisit): Promise<{ view: SiteView; reply: SiteReply } | undefined> {
  const { context, session } = visit.view
  for (const { segments, output, addressFor } of formsOf(visit.segments)) {
    const located = await locatePath(context, session, segments)
    if (located.kind !== 'place') continue
    const view = new SiteView(context, session, located)
    const space = await view.open(located.space)
    const placed = await space?.findPage(located.rest)
    if (!space || placed?.entry.type !== 'document') continue
    const asked = addressIn(located, located.space, [...located.previewPath, ...located.rest])
    if (placed.address !== asked) {
      return { view, reply: redirectReply(addressFor(placed.address) + located.search) }
    }
    const reply = await output({ ...visit, view }, space, placed)
    if (reply) return { view, reply }
  }
  return undefined
}
