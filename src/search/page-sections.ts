import type { Document } from '../content/document/nodes.ts'
import { findUsedVariables } from '../content/document/used-variables.ts'
import { withAnchorIds } from '../content/document/outline.ts'
import { type Section, splitIntoSections } from '../content/document/sections.ts'
import { walkBlocks } from '../content/document/walk.ts'
import { toSlug } from '../content/markdown/slug.ts'
import { type PageObject, readObjects } from '../content/revision/objects.ts'
import { emptyDocument, expandReusableContents } from '../content/revision/reusable-contents.ts'
import type { Tree } from '../content/revision/tree.ts'
import type { NewSection } from './engine.ts'
import { findExtract } from '../derived/document-extracts.ts'
import type { DerivedSpace } from '../derived/heads.ts'
import { toUsedVariableId } from '../derived/reuses.ts'
import { toIndexWords } from './index-words.ts'

export interface IndexedPage {
  id: string
  sections: NewSection[]
  /** IDs of the reusable contents that the page includes, of used variables, and of specifications whose text is indexed. */
  reused: ReadonlySet<string>
}

/** Replaces blocks by the text that they show, which is not part of the content. */
export type IncludeTexts = (
  space: DerivedSpace,
  tree: Tree,
  document: Document,
) => Promise<{ document: Document; reused: readonly string[] }>

interface PageWithId {
  id: string
  page: PageObject
}

/** Splits a page into sections for the index. */
export async function readPageSections(
  tree: Tree,
  space: DerivedSpace,
  { id, page }: PageWithId,
  includeTexts?: IncludeTexts,
): Promise<IndexedPage> {
  const extract = findExtract(page.document, 'text')
  if (extract) {
    const variables = [...extract.variables, ...findUsedVariables([], page.condition)]
    const sections = createSections(extract.sections, space, { id, page })
    return { id, sections, reused: new Set(variables.map(toUsedVariableId)) }
  }
  const hashes = page.document === undefined ? [] : [page.document]
  const [stored] = await readObjects(tree.objects, 'document', hashes, { skipCache: true })
  const { document, reused: contents } = await expandReusableContents(tree, stored?.document ?? emptyDocument)
  const reused = new Set([
    ...contents,
    ...findUsedVariables(walkBlocks(document), page.condition).map(toUsedVariableId),
  ])
  const anchored = withAnchorIds(document, toSlug)
  if (!includeTexts) return { id, sections: createSections(splitIntoSections(anchored), space, { id, page }), reused }
  const included = await includeTexts(space, tree, anchored)
  return {
    id,
    sections: createSections(splitIntoSections(included.document), space, { id, page }),
    reused: new Set([...reused, ...included.reused]),
  }
}

/** Returns the sections of a page from its title and description, without its text. */
export const createSectionsWithoutText = (space: DerivedSpace, page: PageWithId): NewSection[] =>
  createSections(splitIntoSections(emptyDocument), space, page)

function createSections(sections: readonly Section[], space: DerivedSpace, { id, page }: PageWithId): NewSection[] {
  const splitWords = (text: string) => toIndexWords(text, space.language)
  const title = [page.title, page.linkTitle ?? ''].flatMap(splitWords)
  const description = splitWords(page.description ?? '')
  return sections.map((section, part): NewSection => {
    const heading = splitWords(section.heading)
    const isPageItself = part === 0
    return {
      organization_id: space.organizationId,
      space_id: space.spaceId,
      page_id: id,
      part,
      document: page.document ?? '',
      anchor: section.anchor,
      heading: section.heading,
      body: section.body,
      conditions: JSON.stringify(section.conditions),
      words: {
        title: isPageItself ? title : [],
        description: isPageItself ? description : [],
        heading: section.isBeginning ? heading : [],
        body: splitWords(section.body),
        around: [...(isPageItself ? [] : title), ...headingWordsAbove(section, heading)],
      },
    }
  })
}

const headingWordsAbove = ({ isBeginning }: Section, heading: readonly string[]) => (isBeginning ? [] : heading)
