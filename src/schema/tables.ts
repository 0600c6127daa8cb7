import type { Kysely, Selectable } from 'kysely'
import type { AuditEventsTable } from './audit.ts'
import type {
  ChangeRequestConflictsTable,
  ChangeRequestContributorsTable,
  ChangeRequestReviewersTable,
  ChangeRequestReviewsTable,
  ChangeRequestsTable,
} from './change-requests.ts'
import type {
  CommentCountsTable,
  CommentMentionsTable,
  CommentReactionsTable,
  CommentsTable,
  MentionCountsTable,
} from './comments.ts'
import type {
  CollectionsTable,
  ComputedSourcesTable,
  ObjectsTable,
  OrganizationBlobsTable,
  RevisionsTable,
  SpacesTable,
  StorageUsageTable,
  TemplatesTable,
  UnusedBlobsTable,
  UploadsTable,
} from './content.ts'
import type { EmbedsTable } from './embeds.ts'
import type { GitConnectionsTable, GitOperationsTable, ImportRunsTable } from './git-and-imports.ts'
import type { HighlightStatesTable, HighlightedCodeTable } from './highlight.ts'
import type { LiveEventsTable, PresenceTable } from './live.ts'
import type { LinkCountsTable, LinkStatesTable, LinkTargetsTable, LinksTable } from './links.ts'
import type {
  FollowsTable,
  NotificationEventsTable,
  NotificationSettingsTable,
  NotificationsTable,
} from './notifications.ts'
import type { OidcIdentitiesTable, OidcRequestsTable } from './oidc.ts'
import type {
  EmailDomainsTable,
  EmailInvitesTable,
  GrantsTable,
  LinkInvitesTable,
  MembersTable,
  OrganizationsTable,
  TeamMembersTable,
  TeamsTable,
  TokensTable,
  UsersTable,
} from './people.ts'
import type { SearchReusesTable, SearchSectionsTable, SearchStatesTable, SearchVocabularyTable } from './search.ts'
import type { LinkedSpecsTable, OpenapiOutlinesTable, OpenapiSpecsTable, OpenapiVersionsTable } from './openapi.ts'
import type { OauthClientsTable, OauthCodesTable, OauthGrantsTable, OauthRefreshTokensTable } from './oauth.ts'
import type { PdfFilesTable } from './pdf.ts'
import type { ScimAccountsTable, ScimGroupsTable, ScimTokensTable, ScimUsersTable } from './scim.ts'
import type { SamlIdentitiesTable, SamlProvidersTable, SamlReplaysTable, SamlRequestsTable } from './saml.ts'
import type {
  AuthenticatorAppsTable,
  PasskeysTable,
  PendingSignInsTable,
  RecoveryCodesTable,
  UsedChallengesTable,
} from './second-factors.ts'
import type {
  KnownBrowsersTable,
  PasswordsTable,
  SessionsTable,
  SignInAttemptsTable,
  SignInLinksTable,
} from './sign-in.ts'
import type {
  CustomizationPreviewsTable,
  SiteImagesTable,
  CustomHostnamesTable,
  ShareLinksTable,
  SiteEventsTable,
  SiteFeedbackTable,
  SiteItemsTable,
  SiteRedirectsTable,
  SitesTable,
} from './sites.ts'
import type {
  GlossaryEntriesTable,
  TranslationEnginesTable,
  TranslationFindingsTable,
  TranslationMemoryTable,
  TranslationPagesTable,
  TranslationRunsTable,
  TranslationUsageTable,
  TranslationsTable,
} from './translations.ts'
import type { IdempotencyKeysTable, InstanceTable, JobsTable, SchedulesTable } from './system.ts'

// Columns are in snake_case in code too, so that rows can be recognized. The types are those that both engines support:
// text (timestamps are ISO 8601 in UTC, lists and objects are JSON), integers, and 0 or 1 for flags.

export interface Tables {
  instance: InstanceTable
  users: UsersTable
  tokens: TokensTable
  sessions: SessionsTable
  passwords: PasswordsTable
  sign_in_links: SignInLinksTable
  sign_in_attempts: SignInAttemptsTable
  known_browsers: KnownBrowsersTable
  oauth_clients: OauthClientsTable
  oauth_grants: OauthGrantsTable
  oauth_codes: OauthCodesTable
  oauth_refresh_tokens: OauthRefreshTokensTable
  passkeys: PasskeysTable
  used_challenges: UsedChallengesTable
  authenticator_apps: AuthenticatorAppsTable
  recovery_codes: RecoveryCodesTable
  pending_sign_ins: PendingSignInsTable
  oidc_identities: OidcIdentitiesTable
  oidc_requests: OidcRequestsTable
  organizations: OrganizationsTable
  email_domains: EmailDomainsTable
  members: MembersTable
  teams: TeamsTable
  team_members: TeamMembersTable
  collections: CollectionsTable
  spaces: SpacesTable
  grants: GrantsTable
  link_invites: LinkInvitesTable
  email_invites: EmailInvitesTable
  revisions: RevisionsTable
  computed_sources: ComputedSourcesTable
  templates: TemplatesTable
  git_connections: GitConnectionsTable
  git_operations: GitOperationsTable
  import_runs: ImportRunsTable
  objects: ObjectsTable
  unused_blobs: UnusedBlobsTable
  organization_blobs: OrganizationBlobsTable
  storage_usage: StorageUsageTable
  change_requests: ChangeRequestsTable
  change_request_contributors: ChangeRequestContributorsTable
  change_request_reviews: ChangeRequestReviewsTable
  change_request_reviewers: ChangeRequestReviewersTable
  change_request_conflicts: ChangeRequestConflictsTable
  comments: CommentsTable
  comment_reactions: CommentReactionsTable
  comment_mentions: CommentMentionsTable
  comment_counts: CommentCountsTable
  mention_counts: MentionCountsTable
  uploads: UploadsTable
  pdf_files: PdfFilesTable
  openapi_specs: OpenapiSpecsTable
  openapi_versions: OpenapiVersionsTable
  openapi_outlines: OpenapiOutlinesTable
  linked_specs: LinkedSpecsTable
  embeds: EmbedsTable
  audit_events: AuditEventsTable
  sites: SitesTable
  site_items: SiteItemsTable
  share_links: ShareLinksTable
  customization_previews: CustomizationPreviewsTable
  site_images: SiteImagesTable
  site_redirects: SiteRedirectsTable
  custom_hostnames: CustomHostnamesTable
  site_events: SiteEventsTable
  site_feedback: SiteFeedbackTable
  search_states: SearchStatesTable
  search_sections: SearchSectionsTable
  search_reuses: SearchReusesTable
  search_vocabulary: SearchVocabularyTable
  highlight_states: HighlightStatesTable
  highlighted_code: HighlightedCodeTable
  link_states: LinkStatesTable
  links: LinksTable
  link_targets: LinkTargetsTable
  link_counts: LinkCountsTable
  scim_tokens: ScimTokensTable
  scim_users: ScimUsersTable
  scim_groups: ScimGroupsTable
  scim_accounts: ScimAccountsTable
  saml_providers: SamlProvidersTable
  saml_requests: SamlRequestsTable
  saml_replays: SamlReplaysTable
  saml_identities: SamlIdentitiesTable
  translations: TranslationsTable
  translation_runs: TranslationRunsTable
  translation_pages: TranslationPagesTable
  translation_findings: TranslationFindingsTable
  translation_memory: TranslationMemoryTable
  translation_usage: TranslationUsageTable
  translation_engines: TranslationEnginesTable
  glossary_entries: GlossaryEntriesTable
  live_events: LiveEventsTable
  presence: PresenceTable
  notification_events: NotificationEventsTable
  notifications: NotificationsTable
  notification_settings: NotificationSettingsTable
  follows: FollowsTable
  idempotency_keys: IdempotencyKeysTable
  jobs: JobsTable
  schedules: SchedulesTable
}

export type Row<T extends keyof Tables> = Selectable<Tables[T]>
export type Db = Kysely<Tables>

/** Primary key of a site. */
export type SiteKey = Pick<Row<'sites'>, 'organization_id' | 'id'>
