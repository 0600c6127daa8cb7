import type { Space } from '../../../contract/space.ts'
import { ApiError, request } from '../../api.ts'
import { toOwnOrigin } from '../../base-path.ts'
import { invalidate } from '../../data/query.ts'
import { defineTexts, fillText } from '../../texts.ts'

const texts = defineTexts('startSpace', {
  uploadFailed: '{name} could not be uploaded. It may be too large.',
})

/** Name and place of a new space. */
export interface SpaceFields {
  organizationId: string
  title: string
  /** Character of the emoji; empty for none. */
  emoji: string
  /** ID of the collection; empty for none. */
  parent: string
}

export interface Repository {
  url: string
  branch: string
  directory: string
  username: string
  /** Password or access token; empty for a public repository. */
  password: string
}

/** A new space, and the path of the screen that shows the progress of its import. */
export interface StartedSpace {
  spaceId: string
  path: string
}

async function createSpace(
  { organizationId, title, emoji, parent }: SpaceFields,
  content: { template?: { id: string }; empty?: true },
): Promise<Space> {
  const space = await request('POST /orgs/{organizationId}/spaces', {
    params: { organizationId },
    body: { ...(title && { title }), ...(emoji && { emoji }), ...(parent && { parent }), ...content },
  })
  invalidate(`/orgs/${organizationId}`, ...(parent ? [`/collections/${parent}`] : []))
  return space
}

/** Creates a space for an import. If the import cannot start, the empty space is deleted again. */
async function createFilledSpace<Result>(
  fields: SpaceFields,
  fill: (space: Space) => Promise<Result>,
): Promise<{ space: Space; result: Result }> {
  const space = await createSpace(fields, { empty: true })
  try {
    return { space, result: await fill(space) }
  } catch (error) {
    await request('DELETE /spaces/{spaceId}', { params: { spaceId: space.id } })
    invalidate(`/orgs/${fields.organizationId}`)
    throw error
  }
}

export const createBlankSpace = async (fields: SpaceFields): Promise<StartedSpace> =>
  toStarted(await createSpace(fields, {}))

export const createSpaceFromTemplate = async (fields: SpaceFields, templateId: string): Promise<StartedSpace> =>
  toStarted(await createSpace(fields, { template: { id: templateId } }))

const toStarted = ({ id }: Space): StartedSpace => ({ spaceId: id, path: `/spaces/${id}` })

/** Starts the import of a repository into a space. */
export async function importRepository(spaceId: string, repository: Repository): Promise<void> {
  const { branch, directory } = repository
  await request('POST /spaces/{spaceId}/git/import', {
    params: { spaceId },
    body: {
      url: toRepositoryUrl(repository),
      ref: `refs/heads/${branch}`,
      ...(directory && { repoProjectDirectory: directory }),
    },
  })
  invalidate(`/spaces/${spaceId}/git`)
}

/** Creates a space and starts the import. */
export async function createSpaceFromRepository(fields: SpaceFields, repository: Repository): Promise<StartedSpace> {
  const { space } = await createFilledSpace(fields, ({ id }) => importRepository(id, repository))
  return { spaceId: space.id, path: `/orgs/${fields.organizationId}/new/${space.id}/git` }
}

export async function createSpaceFromWebsite(fields: SpaceFields, url: string): Promise<StartedSpace> {
  const { space, result } = await createFilledSpace(fields, ({ id }) =>
    request('POST /org/{organizationId}/imports', {
      params: { organizationId: fields.organizationId },
      body: { source: { type: 'website', url }, target: { space: id } },
    }),
  )
  return { spaceId: space.id, path: `/orgs/${fields.organizationId}/imports/${result.id}` }
}

export async function createSpaceFromFiles(fields: SpaceFields, files: readonly File[]): Promise<StartedSpace> {
  const { organizationId } = fields
  const keys: string[] = []
  for (const file of files) keys.push(await uploadFile(organizationId, file))
  const { space, result } = await createFilledSpace(fields, ({ id }) =>
    request('POST /org/{organizationId}/imports', {
      params: { organizationId },
      body: { source: { type: 'file', files: keys }, target: { space: id } },
    }),
  )
  return { spaceId: space.id, path: `/orgs/${organizationId}/imports/${result.id}` }
}

/** Uploads a file for an import and returns its key. */
async function uploadFile(organizationId: string, file: File): Promise<string> {
  const { name, size } = file
  const type = file.type || 'application/octet-stream'
  const { url, key } = await request('POST /orgs/{organizationId}/storage/upload', {
    params: { organizationId },
    body: { file: { name, type, size }, kind: 'import_file' },
  })
  const reply = await fetch(toOwnOrigin(url), { method: 'PUT', headers: { 'content-type': type }, body: file })
  if (!reply.ok) throw new ApiError(reply.status === 413 ? 413 : 400, fillText(texts.uploadFailed, { name }))
  return key
}

/** Returns the URL of a repository with its credentials. */
export function toRepositoryUrl({ url, username, password }: Repository): string {
  if (password === '' || !URL.canParse(url)) return url
  const parsed = new URL(url)
  parsed.username = encodeURIComponent(username || 'git')
  parsed.password = encodeURIComponent(password)
  return parsed.href
}

/** Returns a name for a space from the address of its source, limited to the maximum length. */
export function suggestTitle(url: string): string {
  if (!URL.canParse(url)) return ''
  const { hostname, pathname } = new URL(url)
  const last = pathname.split('/').findLast((segment) => segment !== '')
  return (last?.replace(/\.(?:git|html?)$/, '') ?? hostname).slice(0, maxTitleLength)
}

/** Maximum length of the title of a space. */
export const maxTitleLength = 50
