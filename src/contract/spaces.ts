import { z } from 'zod'
import { operation } from './operation.ts'
import { DefaultLevel } from './roles.ts'
import { HttpUrl, Id, ListQuery, Timestamp, paginated } from './shared.ts'
import { EditMode, Language, MoveBody, Space, SpaceMergeRules, SpaceVisibility } from './space.ts'
import { TemplateUse } from './template.ts'

/** Maximum length of the title of a space. */
export const maxSpaceTitleLength = 50

export const SpaceTitle = z.string().max(maxSpaceTitleLength)
export const Emoji = z
  .string()
  .min(1)
  .max(50)
  .regex(
    /^(?:[\p{Emoji}\p{Emoji_Component}\p{Extended_Pictographic}]+|[0-9a-f]{2,8}(?:-[0-9a-f]{2,8})*)$/u,
    'must be an emoji',
  )

export const DeletedSpace = z
  .object({
    object: z.literal('deleted-space'),
    space: Space,
    deletedAt: Timestamp,
    purgeAt: Timestamp.describe('Time at which the space is removed permanently'),
  })
  .meta({ id: 'DeletedSpace' })
export type DeletedSpace = z.infer<typeof DeletedSpace>

export const spaces = {
  listSpacesInOrganizationById: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/spaces',
    summary: 'List the spaces of an organization',
    description: 'Returns only spaces that the caller can see.',
    access: 'organization:view',
    scope: 'space:read',
    query: ListQuery,
    reply: paginated(Space),
  }),
  listDeletedSpaces: operation({
    method: 'GET',
    path: '/orgs/{organizationId}/deleted-spaces',
    summary: 'List deleted spaces',
    description: 'Returns the spaces that can still be restored, the last deleted first.',
    access: 'organization:admin',
    scope: 'space:read',
    query: ListQuery,
    reply: paginated(DeletedSpace),
  }),
  createSpace: operation({
    method: 'POST',
    path: '/orgs/{organizationId}/spaces',
    summary: 'Create a space',
    description: 'Requires the role `create` in the organization, or in the parent collection when `parent` is given.',
    access: 'container:create',
    scope: 'space:write',
    body: z
      .object({
        title: SpaceTitle.optional(),
        emoji: Emoji.optional(),
        parent: Id.optional(),
        language: Language.optional(),
        editMode: EditMode.optional(),
        empty: z.literal(true).optional(),
        template: TemplateUse.optional().describe(
          'Template for the initial content; its title and emoji are the defaults of the space',
        ),
      })
      .refine((body) => !(body.empty && body.template), {
        path: ['template'],
        message: 'cannot be set together with `empty`',
      }),
    status: 201,
    reply: Space,
    errors: [404],
  }),
  getSpaceById: operation({
    method: 'GET',
    path: '/spaces/{spaceId}',
    summary: 'Get a space',
    access: 'space:visit',
    scope: 'space:read',
    query: z.object({
      shareKey: z
        .string()
        .max(256)
        .optional()
        .describe('Key of a share link; used to resolve published URLs of share-link sites'),
    }),
    reply: Space,
  }),
  updateSpaceById: operation({
    method: 'PATCH',
    path: '/spaces/{spaceId}',
    summary: 'Update a space',
    access: 'space:admin',
    scope: 'space:write',
    body: z
      .object({
        title: SpaceTitle,
        emoji: Emoji.nullable(),
        icon: HttpUrl.nullable(),
        visibility: SpaceVisibility,
        editMode: EditMode,
        defaultLevel: DefaultLevel,
        language: Language,
        mergeRules: SpaceMergeRules,
      })
      .partial()
      .refine((body) => !(body.emoji && body.icon), { path: ['icon'], message: 'cannot be set together with `emoji`' }),
    reply: Space,
  }),
  deleteSpaceById: operation({
    method: 'DELETE',
    path: '/spaces/{spaceId}',
    summary: 'Delete a space',
    description: 'The space can be restored for 7 days; after that it is permanently deleted.',
    access: 'space:create',
    scope: 'space:write',
  }),
  duplicateSpace: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/duplicate',
    summary: 'Duplicate a space',
    description: 'Copies the content, settings and permissions.',
    access: 'space:create',
    scope: 'space:write',
    status: 201,
    reply: Space,
  }),
  restoreSpace: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/restore',
    summary: 'Restore a deleted space',
    description: 'A space can be restored for 7 days after its deletion.',
    access: 'space:create',
    scope: 'space:write',
    reply: Space,
    errors: [409],
    includesDeleted: true,
  }),
  moveSpace: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/move',
    summary: 'Move a space',
    description: 'Changes its position, its parent collection, or both.',
    access: 'space:create',
    scope: 'space:write',
    body: MoveBody,
    reply: Space,
    errors: [404, 409],
  }),
  transferSpace: operation({
    method: 'POST',
    path: '/spaces/{spaceId}/transfer',
    summary: 'Transfer a space to another organization or collection',
    access: 'space:admin',
    scope: 'space:write',
    body: z.object({
      organization: Id,
      parent: Id.nullable().optional().describe('ID of a collection in the target organization'),
    }),
    reply: Space,
    errors: [404, 409],
  }),
}
