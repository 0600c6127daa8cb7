import { type Access, type ScopeRule, parseParamNames } from '../../contract/operation.ts'
import { type ResourceKind, requiredRoles } from '../../contract/roles.ts'
import { type Html, markup } from '../../render/html.ts'
import type { CodeSample } from '../../openapi/extensions.ts'
import type { ApiOperation } from '../../openapi/model.ts'
import { createCodeSamples } from '../../openapi/samples/code-samples.ts'
import { javascriptLiterals } from '../../openapi/samples/javascript.ts'
import { printLiteral } from '../../openapi/samples/literals.ts'
import type { SampleRequest } from '../../openapi/samples/request.ts'
import type { OperationNote } from '../../render/openapi/openapi-context.ts'

/** Operations that the official client does not have. */
const notInClient: ReadonlySet<string> = new Set([
  'streamOrganizationEvents',
  'deleteOrganizationById',
  'readSamlMetadata',
  'listSiteCustomHostnames',
  'checkSiteRedirects',
  'listPresence',
  'changeSiteCustomizationById',
  'createSiteCustomizationPreview',
  'addImageToSite',
  'updatePresence',
  'listTokens',
  'createToken',
  'revokeToken',
  'listAuthorizedApps',
  'revokeAuthorizedApp',
  'listSessions',
  'revokeSession',
  'listSessionsForOrganizationMember',
  'revokeSessionsForOrganizationMember',
  'revokeSessionForOrganizationMember',
  'listScimTokens',
  'createScimToken',
  'revokeScimToken',
  'listEmailInvites',
  'exportOrganizationAuditEvents',
  'getOrganizationAuditSettings',
  'updateOrganizationAuditSettings',
  'deleteEmailInvite',
  'getSpaceAccess',
  'listUserAccessToSpace',
  'listTeamAccessToSpace',
  'getCollectionAccess',
  'listUserAccessToCollection',
  'listTeamAccessToCollection',
  'getSiteAccess',
  'listUserAccessToSite',
  'listTeamAccessToSite',
  'transferSpace',
  'listDeletedSpaces',
  'getInstance',
  'listJobs',
  'retryJob',
  'updateSpaceContent',
  'getTableOfContents',
  'getTableOfContentsInChangeRequest',
  'findTextInSpace',
  'findTextInChangeRequest',
  'listReusableContents',
  'listReusableContentsInChangeRequest',
  'listVariables',
  'listVariablesInChangeRequest',
  'listTags',
  'listTagsInChangeRequest',
  'listSpaceReusableContentBacklinks',
  'listChangeRequestReusableContentBacklinks',
  'listSpaceVariableBacklinks',
  'listIcons',
  'listRevisions',
  'getChangeRequestDescription',
  'setChangeRequestDescription',
  'getChangeRequestMergeStatus',
  'listChangeRequestConflicts',
  'resolveChangeRequestConflicts',
  'resolveChangeRequestConflict',
  'reopenChangeRequestConflict',
  'listMentionsForAuthenticatedUser',
  'listNotifications',
  'countNotifications',
  'updateNotification',
  'markNotificationsAsRead',
  'getNotificationSettings',
  'updateNotificationSettings',
  'getFollow',
  'updateFollow',
  'restoreRevision',
  'getRenderedPageById',
  'getRenderedPageInChangeRequest',
  'getRenderedPageInRevision',
  'renderDocumentInSpace',
  'renderDocumentInChangeRequest',
  'getRenderedReusableContent',
  'getRenderedReusableContentInChangeRequest',
  'listTemplates',
  'listTemplatePages',
  'listTemplatePagesInOrganization',
  'getTemplateById',
  'listTemplatesInOrganization',
  'createTemplateInOrganization',
  'getTemplateInOrganization',
  'deleteTemplateInOrganization',
  'listOpenApiSpecBacklinks',
  'cancelTranslationRun',
  'listTranslationRuns',
  'getTranslationRun',
  'listTranslationFindings',
  'resolveTranslationFinding',
  'clearTranslationMemory',
  'getTranslationEngine',
  'setTranslationEngine',
  'removeTranslationEngine',
  'importContent',
  'importContentInChangeRequest',
  'updateSpaceGitInfo',
  'removeSpaceGitInfo',
  'getSpaceGitStatus',
  'listOrganizationGitOperations',
  'listSpaceGitOperations',
  'getSpaceGitOperation',
  'createGitWebhook',
  'receiveGitWebhook',
  'removeLegacyGitInstallation',
  'addSectionToGroup',
  'removeSectionFromGroup',
  'explainSiteVisibility',
  'listSiteFeedback',
  'getSiteSearchSettings',
  'updateSiteSearchSettings',
  'getApiInformation',
  'setUserAsSSOMemberForOrganization',
  'generateStorageUploadURL',
  'listSpaceLinks',
  'listPageLinksInSpace',
  'listSpacePageBacklinks',
  'listSpaceFileBacklinks',
  'listChangeRequestLinks',
  'listPageLinksInChangeRequest',
  'listChangeRequestPageBacklinks',
  'listChangeRequestFileBacklinks',
])

/** Returns the generated samples and one that uses the official client. */
export function createSamples(request: SampleRequest): CodeSample[] {
  const [curl, ...others] = createCodeSamples(request)
  const call = clientCall(request)
  return [
    ...(curl ? [curl] : []),
    ...(call === undefined ? [] : [{ title: '@gitbook/api', syntax: 'js', code: call }]),
    ...others,
  ]
}

/** Returns the call with the official client; undefined if it does not have the operation. */
function clientCall({ operation, query, body }: SampleRequest): string | undefined {
  const { id, path, parameters, responses } = operation
  const [, firstSegment = ''] = path.split('/')
  if (id === undefined || notInClient.has(id)) return undefined
  const hasQuery = parameters.some(({ location }) => location === 'query')
  const data = body?.kind === 'json' ? printLiteral(body.value, javascriptLiterals) : undefined
  const queryLiteral = printLiteral(
    Object.fromEntries(query.map(({ name, value }) => [name, value])),
    javascriptLiterals,
  )
  const callArguments = [
    ...parseParamNames(path),
    ...(data === undefined ? [] : [data]),
    ...(hasQuery && query.length > 0 ? [queryLiteral] : []),
  ]
  const namespace = firstSegment.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const call = `await client.${namespace}.${id}(${callArguments.join(', ')})`
  return responses.some(({ status, contents }) => status.startsWith('2') && contents.length > 0)
    ? `const { data } = ${call}`
    : call
}

/** Returns notes about the role and the token scope that an operation requires. */
export function createNotes({ source }: ApiOperation): OperationNote[] {
  const access = source['x-access'] as Access | undefined
  const scope = source['x-scope'] as ScopeRule | undefined
  const notes: OperationNote[] = []
  if (access !== undefined) notes.push({ title: 'Access', text: describeAccess(access) })
  if (scope === 'unscoped') notes.push({ title: 'Scope', text: markup`Tokens with scopes are not accepted` })
  else if (scope !== undefined && scope !== 'any') notes.push({ title: 'Scope', text: markup`<code>${scope}</code>` })
  return notes
}

const special: Readonly<Record<string, Html>> = {
  public: markup`Everyone, without a token`,
  user: markup`Everyone with a token`,
  'site:visit': markup`Members who can see the site, and its visitors`,
  'space:visit': markup`Members who can see the space, and visitors of its sites`,
  'team:admin': markup`Administrators of the organization, and owners of the team`,
  'member:admin': markup`Administrators of the organization, and the member in the path`,
  'container:create': markup`The role <code>create</code> or above in the collection, or else in the organization`,
}

function describeAccess(access: Access): Html {
  const description = special[access]
  if (description) return description
  const [subject = '', action = ''] = access.split(':')
  const role = (requiredRoles[subject as ResourceKind] as Record<string, string | null> | undefined)?.[action]
  if (role === undefined) return markup`<code>${access}</code>`
  return role === null
    ? markup`Every member of the ${subject}, including guests`
    : markup`The role <code>${role}</code>${role !== 'admin' && ' or above'} in the ${subject}`
}
