import { z } from 'zod'
import { findCodeBlocks } from '../content/document/code-text.ts'
import { walkBlocks } from '../content/document/walk.ts'
import { readObjects } from '../content/revision/objects.ts'
import { emptyDocument, expandReusableContents } from '../content/revision/reusable-contents.ts'
import type { Tree } from '../content/revision/tree.ts'
import { findExtract } from '../derived/document-extracts.ts'
import { type Derivation, updateDerivedRows } from '../derived/update-derived-rows.ts'
import { codeHighlightJob } from '../derived/jobs.ts'
import { deletePageRows, findPagesWithRows } from '../derived/page-rows.ts'
import { createUpkeepJob } from '../derived/upkeep.ts'
import { job } from '../jobs/job.ts'
import type { JobKind } from '../kernel/context.ts'
import type { Row } from '../schema/tables.ts'
import type { CodeWithSyntax, Highlighter } from './highlight.ts'
import { insertHighlightedCode } from './store.ts'

/**
 * Maximum number of characters of highlighted code stored for one page; further code is highlighted when the page is requested.
 */
const maxCharactersPerPage = 1024 ** 2

type CodeRow = Row<'highlighted_code'>

/** Returns the derivation that highlights the code of all pages in advance, so that the first visitor of a page does not wait. */
function createHighlightDerivation(highlighter: Highlighter, signal?: AbortSignal): Derivation<CodeRow[]> {
  return {
    states: 'highlight_states',
    format: 1,
    fields: ['document'],
    maxBatch: { pages: 100, rows: 200 },
    async read({ objects, ...tree }, { organizationId, spaceId }, { id, page }) {
      if (page.document === undefined) return []
      const code = findExtract(page.document, 'code') ?? (await readCode({ objects, ...tree }, page.document))
      const highlighted = await highlighter.highlightAll(code, signal)
      const rows: CodeRow[] = []
      let characters = 0
      for (const [key, html] of highlighted) {
        characters += html?.length ?? 0
        if (characters > maxCharactersPerPage) break
        rows.push({ organization_id: organizationId, space_id: spaceId, page_id: id, key, html })
      }
      return rows
    },
    countRows: (rows) => rows.length,
    deletePages: (db, space, pageIds) => deletePageRows(db, ['highlighted_code'], space, pageIds),
    insert: (db, _, pages) => insertHighlightedCode(db, pages.flat()),
    findPages: (db, space, after, limit) => findPagesWithRows(db, 'highlighted_code', space, { after, limit }),
  }
}

async function readCode(tree: Tree, documentHash: string): Promise<CodeWithSyntax[]> {
  const [stored] = await readObjects(tree.objects, 'document', [documentHash], { skipCache: true })
  const { document } = await expandReusableContents(tree, stored?.document ?? emptyDocument)
  return findCodeBlocks(walkBlocks(document))
}

export const createHighlightJob = ({ highlighter }: { highlighter: Highlighter }): JobKind<{ spaceId: string }> =>
  job({
    ...codeHighlightJob,
    attempts: 5,
    atOnce: 1,
    payload: z.object({ spaceId: z.string() }),
    run: (context, { spaceId }) =>
      updateDerivedRows(context, createHighlightDerivation(highlighter, context.signal), spaceId),
  })

export const createHighlightUpkeepJob = ({
  highlighter,
}: {
  highlighter: Highlighter
}): JobKind<Record<string, never>> =>
  createUpkeepJob('code.upkeep', createHighlightDerivation(highlighter), codeHighlightJob)
