import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkFolder } from '../../src/cli/check-folder.ts'
import { PageAnchors } from '../../src/content/document/anchors.ts'
import { withAnchorIds } from '../../src/content/document/outline.ts'
import { collectReferences } from '../../src/content/document/references.ts'
import { toSlug } from '../../src/content/markdown/slug.ts'
import { refKeyOf } from '../../src/content/repository/copy.ts'
import { type PageNode, readPageNodes } from '../../src/content/revision/tree.ts'
import { readObject } from '../../src/content/revision/objects.ts'
import { BuiltInTemplates } from '../../src/resources/templates/built-in-templates.ts'

const folder = join(import.meta.dirname, '..', '..', 'templates')
const ids = readdirSync(folder).toSorted()
const silentProgress = { step: () => undefined, report: () => undefined, end: () => undefined }
const templates = new BuiltInTemplates(folder)

const flatten = (nodes: readonly PageNode[]): PageNode[] => nodes.flatMap((node) => [node, ...flatten(node.children)])

async function readTemplate(id: string) {
  const template = await templates.find(id)
  if (!template) throw new Error(`There is no template ${id}`)
  const tree = await templates.openTree(template)
  const nodes = flatten(await readPageNodes(tree.objects, tree.root.pages))
  const pages = await Promise.all(
    nodes
      .filter(({ entry }) => entry.type === 'document')
      .map(async ({ entry, page }) => {
        const { document } = await readObject(tree.objects, 'document', page.document as string)
        return { id: entry.id, page, document, references: collectReferences(document).map(({ ref }) => ref) }
      }),
  )
  return { template, pages }
}

test('there are seven templates', () => {
  expect(ids).toEqual(['api-docs', 'changelog', 'handbook', 'help-center', 'product-docs', 'rfc', 'runbook'])
})

describe.each(ids)('the template %s', (id) => {
  test('is imported without warnings and exported without a changed byte', async () => {
    const findings = await checkFolder(join(folder, id), silentProgress)
    expect(findings.warnings).toEqual([])
    expect(findings.roundTrip.changed).toEqual([])
    expect(findings.roundTrip.lost).toEqual([])
    // The texts are in normal form, so that a space made from the template is exported to the same texts.
    expect(findings.roundTrip.normal).toBe(findings.roundTrip.texts)
    expect(findings.pages).toBeGreaterThanOrEqual(6)
    expect(findings.pages).toBeLessThanOrEqual(14)
  })

  test('lists every page and describes it', async () => {
    const { template, pages } = await readTemplate(id)
    expect(pages).toHaveLength(template.pages)
    for (const { page } of pages) {
      expect(page.description, page.title).toMatch(/\.$/)
      expect(page.icon, page.title).toBeTruthy()
    }
  })

  test('has links only to pages, headings and files that exist, and to its named references', async () => {
    const { template, pages } = await readTemplate(id)
    const byId = new Map(pages.map((page) => [page.id, page]))
    const named = new Set(template.contentRefs.map(({ ref }) => refKeyOf(ref)))
    const used = new Set<string>()
    for (const { id: from, page, references } of pages) {
      for (const ref of references) {
        if (ref.kind === 'url') {
          expect(named, `${page.title}: ${ref.url}`).toContain(refKeyOf(ref))
          used.add(refKeyOf(ref))
        } else if (ref.kind === 'page') {
          expect(byId.has(ref.page), page.title).toBe(true)
        } else if (ref.kind === 'anchor') {
          const target = byId.get(ref.page ?? from)
          const anchors = target && new PageAnchors(target.page.title, withAnchorIds(target.document, toSlug), toSlug)
          expect(anchors?.find(ref.anchor), `${page.title}: ${ref.anchor}`).toBeDefined()
        }
      }
    }
    expect([...used].toSorted()).toEqual([...named].toSorted())
  })

  test('contains only small files', () => {
    const files = readdirSync(join(folder, id), { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    )
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name)).length, name).toBeLessThan(16_000)
  })

  test('has images that browsers can read', () => {
    const assets = join(folder, id, '.gitbook', 'assets')
    for (const name of readdirSync(assets)) {
      const tags = readFileSync(join(assets, name), 'utf8').match(/<\w[^>]*>/g) ?? []
      expect(tags.length, name).toBeGreaterThan(3)
      for (const tag of tags) {
        // Browsers refuse an SVG that repeats an attribute.
        const names = Array.from(tag.matchAll(/\s([\w:-]+)=/g), ([, attribute]) => attribute)
        expect(new Set(names).size, tag).toBe(names.length)
      }
    }
  })
})
