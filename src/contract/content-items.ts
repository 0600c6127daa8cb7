import { z } from 'zod'
import { operation } from './operation.ts'
import { ContentQuery, RevisionReusableContent, RevisionTag, VariableValue } from './revision.ts'
import { Count, ListQuery, paginated } from './shared.ts'

const ListedReusableContent = RevisionReusableContent.extend({
  uses: Count.describe(
    'Number of pages and reusable contents of the space that include it. In a change request, changes of other content are not counted',
  ),
}).meta({ id: 'ListedReusableContent' })

export const Variable = z
  .object({
    name: z.string(),
    value: VariableValue,
    uses: Count.describe('Number of pages of the space that use it, counted shortly after a change'),
  })
  .meta({ id: 'Variable' })
export type Variable = z.infer<typeof Variable>

const VariableList = z.object({ variables: z.array(Variable) }).meta({ id: 'VariableList' })
const TagList = z.object({ tags: z.array(RevisionTag) }).meta({ id: 'TagList' })
const ReusableContentList = paginated(ListedReusableContent)
export type ReusableContentList = z.infer<typeof ReusableContentList>

const ReusableContentListQuery = ListQuery.extend({ metadata: ContentQuery.shape.metadata })
export type ReusableContentListQuery = z.infer<typeof ReusableContentListQuery>

const read = { method: 'GET', access: 'space:view', scope: 'space:read' } as const

export const contentItems = {
  listReusableContents: operation({
    ...read,
    path: '/spaces/{spaceId}/content/reusable-contents',
    summary: 'List the reusable contents of a space',
    query: ReusableContentListQuery,
    reply: ReusableContentList,
  }),
  listReusableContentsInChangeRequest: operation({
    ...read,
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content/reusable-contents',
    summary: 'List the reusable contents of a change request',
    query: ReusableContentListQuery,
    reply: ReusableContentList,
  }),
  listVariables: operation({
    ...read,
    path: '/spaces/{spaceId}/content/variables',
    summary: 'List the variables of a space',
    description: 'Pages use a variable as `space.vars.<name>` in expressions and conditions.',
    reply: VariableList,
  }),
  listVariablesInChangeRequest: operation({
    ...read,
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content/variables',
    summary: 'List the variables of a change request',
    reply: VariableList,
  }),
  listTags: operation({
    ...read,
    path: '/spaces/{spaceId}/content/tags',
    summary: 'List the tags of a space',
    reply: TagList,
  }),
  listTagsInChangeRequest: operation({
    ...read,
    path: '/spaces/{spaceId}/change-requests/{changeRequestId}/content/tags',
    summary: 'List the tags of a change request',
    reply: TagList,
  }),
}
