import { assignKeys } from '../../content/document/assign-keys.ts'
import { isExpression } from '../../content/expression/index.ts'
import { parsePage } from '../../content/markdown/parse.ts'
import { verbatimReferences } from '../../content/markdown/references.ts'
import { type Objects, readObject } from '../../content/revision/objects.ts'
import type { Tree } from '../../content/revision/tree.ts'
import { MemoryObjects } from '../../storage/memory-objects.ts'

const title = 'Welcome'

const description = 'This space is new. Replace this page with your own content.'

/** Returns the text of the first page of a new space, in the normal form of Markdown so that exports do not change it. */
const createFirstPageMarkdown = (
  spaceId: string,
) => `This page was created with the space and explains what to do next. Edit it, or let an import replace it.

## Add your content

**Write in the web app**: open this page at \`/app\` and click **Edit**. A change request collects your changes until they are reviewed and merged.

**Connect a Git repository** on the screen **Git** of the space, or with \`POST /v1/spaces/${spaceId}/git/import\`. Commits become pages, and merged changes become commits.

**Import a folder of Markdown**, a zip file or a repository, on the machine of the server:

\`\`\`sh
octavo import ./docs --space ${spaceId}
\`\`\`

**Edit over the API**: open a change request with \`POST /v1/spaces/${spaceId}/change-requests\`, change pages with \`POST …/content\`, and merge it.

## Publish it

A site shows one or more spaces to readers. Create it with **New site** in the web app, or with a command:

\`\`\`sh
octavo site create --title "My docs" --spaces ${spaceId} --publish
\`\`\`

{% hint style="info" %}
In a checkout, the commands begin with \`npm run octavo --\`. Every server describes its API at \`/docs/api\`.
{% endhint %}
`

/** Writes the document of the first page of a new space; returns the fields of the page. */
export function writeFirstPage(
  objects: Objects,
  spaceId: string,
): { title: string; description: string; document: string } {
  const { document } = parsePage(createFirstPageMarkdown(spaceId), { references: verbatimReferences, isExpression })
  return {
    title,
    description,
    document: objects.write({ kind: 'document', document: assignKeys(undefined, document) }),
  }
}

/** Returns the id of the first page of a new space if it is the only page and was not edited. */
export async function findUnchangedFirstPage({ objects, root }: Tree, spaceId: string): Promise<string | undefined> {
  const [entry, ...others] = root.pages.entries
  if (root.pages.level > 0 || !entry || others.length > 0) return undefined
  const page = await readObject(objects, 'page', entry.hash)
  const initial = writeFirstPage(new MemoryObjects(), spaceId)
  const isUnchanged =
    page.title === initial.title && page.document === initial.document && page.pages.entries.length === 0
  return isUnchanged ? entry.id : undefined
}
