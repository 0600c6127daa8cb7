import { expect, test } from 'vitest'
import { listAnchors } from '../../src/content/document/anchors.ts'
import { assignKeys } from '../../src/content/document/assign-keys.ts'
import { findCodeBlocks } from '../../src/content/document/code-text.ts'
import { type DocumentExtract, extractDocument } from '../../src/content/document/extract.ts'
import type { Document } from '../../src/content/document/nodes.ts'
import { withAnchorIds } from '../../src/content/document/outline.ts'
import { collectReferences } from '../../src/content/document/references.ts'
import { splitIntoSections } from '../../src/content/document/sections.ts'
import { findUsedVariables } from '../../src/content/document/used-variables.ts'
import { walkBlocks } from '../../src/content/document/walk.ts'
import { parsePageFile } from '../../src/content/markdown/parse-page-file.ts'
import { verbatimReferences } from '../../src/content/markdown/references.ts'
import { toSlug } from '../../src/content/markdown/slug.ts'
import { randomDocument } from '../support/blocks.ts'

/** Computes each part of an extract separately. */
function extractParts(document: Document): DocumentExtract {
  const blocks = [...walkBlocks(document)]
  const anchored = withAnchorIds(document, toSlug)
  return {
    references: collectReferences(document),
    anchors: listAnchors(anchored),
    code: findCodeBlocks(blocks),
    text: { sections: splitIntoSections(anchored), variables: findUsedVariables(blocks) },
  }
}

function expectEqualParts(document: Document): void {
  const extract = extractDocument(document, toSlug)
  const parts = extractParts(document)
  const showsOtherContent =
    parts.references.some(({ ref }) => ref.kind === 'reusable-content') ||
    [...walkBlocks(document)].some(({ type }) => type.startsWith('openapi-'))
  const expected = Object.entries(parts).map(([name, part]) => [name, JSON.stringify(part)])
  expect(extract).toEqual(showsOtherContent ? undefined : Object.fromEntries(expected))
}

test('an extract has the same parts as if each was computed separately', () => {
  for (let seed = 0; seed < 300; seed++) {
    const document = randomDocument(seed)
    expectEqualParts(document)
    expectEqualParts(assignKeys(undefined, document))
  }
})

test('an extract numbers equal anchors of headings, tabs, inline anchors and annotations like a page', () => {
  const text = [
    '# Page',
    '## Setup',
    'See <a id="setup"></a><a id="other"></a>[the *setup*](other.md#setup) and {{ space.vars.name }}.',
    '{% if visitor.claims.beta %}\n## Setup\n\n```js\nconst a = 1\n```\n{% endif %}',
    '{% tabs %}\n{% tab title="Setup" %}\n## Setup\n{% endtab %}\n{% endtabs %}',
    '<details>\n<summary>Setup</summary>\n\nText\n\n</details>',
    '| [A](a.md) | B |\n| --- | --- |\n| ![](x.png) | {{ space.vars.cell }} |',
  ].join('\n\n')
  for (const source of [text, `${text}\n\nNote[^1]\n\n[^1]: ## Setup\n`]) {
    const { document } = parsePageFile(source, verbatimReferences)
    expectEqualParts(assignKeys(undefined, document))
    const { anchors } = JSON.parse(extractDocument(document, toSlug)?.anchors ?? '{}') as DocumentExtract['anchors']
    expect(anchors.map(({ id }) => id)).toEqual(expect.arrayContaining(['setup', 'setup-1', 'other']))
  }
})
