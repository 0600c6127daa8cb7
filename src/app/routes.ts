import type { ScreenRoute } from './router.ts'

/** All screens by their addresses. */
export const routes: readonly ScreenRoute[] = [
  { paths: ['/'], load: () => import('./screens/home/start.tsx') },
  { paths: ['/orgs/{organizationId}'], load: () => import('./screens/home/home.tsx') },
  { paths: ['/orgs/{organizationId}/new'], load: () => import('./screens/new-space/new-space.tsx') },
  {
    paths: ['/orgs/{organizationId}/new/{spaceId}/git'],
    load: () => import('./screens/new-space/git-progress.tsx'),
  },
  { paths: ['/orgs/{organizationId}/imports'], load: () => import('./screens/imports/imports.tsx') },
  { paths: ['/orgs/{organizationId}/imports/git'], load: () => import('./screens/imports/git-imports.tsx') },
  {
    paths: ['/orgs/{organizationId}/imports/{importRunId}'],
    load: () => import('./screens/new-space/import-progress.tsx'),
  },
  { paths: ['/orgs/{organizationId}/members'], load: () => import('./screens/members/members.tsx') },
  { paths: ['/orgs/{organizationId}/members/{userId}'], load: () => import('./screens/members/member.tsx') },
  { paths: ['/orgs/{organizationId}/teams'], load: () => import('./screens/teams/teams.tsx') },
  { paths: ['/orgs/{organizationId}/teams/{teamId}'], load: () => import('./screens/teams/team.tsx') },
  { paths: ['/orgs/{organizationId}/sites/{siteId}/domain'], load: () => import('./screens/site/domain/domain.tsx') },
  { paths: ['/orgs/{organizationId}/sites/{siteId}/access'], load: () => import('./screens/site/access/access.tsx') },
  {
    paths: ['/orgs/{organizationId}/sites/{siteId}/redirects'],
    load: () => import('./screens/site/redirects/redirects.tsx'),
  },
  {
    paths: ['/orgs/{organizationId}/sites/{siteId}/insights'],
    load: () => import('./screens/site/insights/insights.tsx'),
  },
  {
    paths: ['/orgs/{organizationId}/sites/{siteId}/settings'],
    load: () => import('./screens/site/settings/site-settings.tsx'),
  },
  { paths: ['/orgs/{organizationId}/specs'], load: () => import('./screens/specs/specs.tsx') },
  { paths: ['/orgs/{organizationId}/new-site'], load: () => import('./screens/new-site/new-site.tsx') },
  { paths: ['/orgs/{organizationId}/new-site/content'], load: () => import('./screens/new-site/content-step.tsx') },
  { paths: ['/orgs/{organizationId}/new-site/{siteId}/look'], load: () => import('./screens/new-site/look-step.tsx') },
  {
    paths: ['/orgs/{organizationId}/new-site/{siteId}/audience'],
    load: () => import('./screens/new-site/audience-step.tsx'),
  },
  {
    paths: ['/orgs/{organizationId}/new-site/{siteId}/publish'],
    load: () => import('./screens/new-site/publish-step.tsx'),
  },
  { paths: ['/orgs/{organizationId}/new-site/{siteId}/done'], load: () => import('./screens/new-site/done.tsx') },
  { paths: ['/orgs/{organizationId}/sso'], load: () => import('./screens/sso/sso.tsx') },
  {
    paths: ['/orgs/{organizationId}/settings'],
    load: () => import('./screens/organization-settings/organization-settings.tsx'),
  },
  { paths: ['/orgs/{organizationId}/audit'], load: () => import('./screens/audit/audit.tsx') },
  { paths: ['/orgs/{organizationId}/trash'], load: () => import('./screens/trash/trash.tsx') },
  { paths: ['/orgs/{organizationId}/sites'], load: () => import('./screens/sites/sites.tsx') },
  { paths: ['/orgs/{organizationId}/sites/{siteId}'], load: () => import('./screens/site/overview/overview.tsx') },
  {
    paths: ['/orgs/{organizationId}/sites/{siteId}/structure'],
    load: () => import('./screens/site/structure/structure.tsx'),
  },
  {
    paths: ['/orgs/{organizationId}/sites/{siteId}/customize'],
    load: () => import('./screens/site/customize/customize.tsx'),
  },
  { paths: ['/orgs/{organizationId}/openapi/{specSlug}'], load: () => import('./screens/specs/spec.tsx') },
  { paths: ['/orgs/{organizationId}/templates'], load: () => import('./screens/templates/templates.tsx') },
  {
    paths: ['/orgs/{organizationId}/translations'],
    load: () => import('./screens/translations/translations.tsx'),
  },
  {
    paths: ['/orgs/{organizationId}/translations/glossary'],
    load: () => import('./screens/translations/glossary.tsx'),
  },
  { paths: ['/orgs/{organizationId}/translations/engine'], load: () => import('./screens/translations/engine.tsx') },
  {
    paths: ['/orgs/{organizationId}/translations/{translationId}'],
    load: () => import('./screens/translations/translation.tsx'),
  },
  { paths: ['/collections/{collectionId}'], load: () => import('./screens/collection/collection.tsx') },
  { paths: ['/spaces/{spaceId}'], load: () => import('./screens/space/read.tsx') },
  {
    paths: [
      '/spaces/{spaceId}/change-requests/{number}/pages/{pageId}',
      '/spaces/{spaceId}/change-requests/{number}/reusable/{reusableContentId}',
    ],
    load: () => import('./screens/edit/edit.tsx'),
  },
  {
    paths: ['/spaces/{spaceId}/pages/{pageId}/edit', '/spaces/{spaceId}/reusable/{reusableContentId}/edit'],
    load: () => import('./screens/edit/live-edit.tsx'),
  },
  { paths: ['/spaces/{spaceId}/history'], load: () => import('./screens/history/history.tsx') },
  { paths: ['/spaces/{spaceId}/compare/{from}/{to}'], load: () => import('./screens/history/compare.tsx') },
  {
    paths: ['/spaces/{spaceId}/files', '/spaces/{spaceId}/change-requests/{number}/files'],
    load: () => import('./screens/files/files.tsx'),
  },
  {
    paths: ['/spaces/{spaceId}/reusable', '/spaces/{spaceId}/change-requests/{number}/reusable'],
    load: () => import('./screens/reusable/reusable-list.tsx'),
  },
  { paths: ['/spaces/{spaceId}/reusable/{reusableContentId}'], load: () => import('./screens/reusable/reusable.tsx') },
  {
    paths: ['/spaces/{spaceId}/replace', '/spaces/{spaceId}/change-requests/{number}/replace'],
    load: () => import('./screens/replace/replace.tsx'),
  },
  { paths: ['/spaces/{spaceId}/search'], load: () => import('./screens/search/search.tsx') },
  {
    paths: ['/spaces/{spaceId}/variables', '/spaces/{spaceId}/change-requests/{number}/variables'],
    load: () => import('./screens/variables/variables.tsx'),
  },
  { paths: ['/spaces/{spaceId}/links'], load: () => import('./screens/links/links.tsx') },
  { paths: ['/spaces/{spaceId}/git'], load: () => import('./screens/git/git.tsx') },
  { paths: ['/spaces/{spaceId}/settings'], load: () => import('./screens/space-settings/space-settings.tsx') },
  { paths: ['/spaces/{spaceId}/comments/{commentId}'], load: () => import('./screens/comment-link/comment-link.tsx') },
  {
    paths: ['/spaces/{spaceId}/change-requests', '/orgs/{organizationId}/change-requests'],
    load: () => import('./screens/change-requests/list-screen.tsx'),
  },
  {
    paths: ['/spaces/{spaceId}/change-requests/{number}'],
    load: () => import('./screens/change-request/overview.tsx'),
  },
  {
    paths: ['/spaces/{spaceId}/change-requests/{number}/changes'],
    load: () => import('./screens/change-request/changes/changes.tsx'),
  },
  {
    paths: ['/spaces/{spaceId}/change-requests/{number}/conflicts'],
    load: () => import('./screens/change-request/conflicts/conflicts.tsx'),
  },
  { paths: ['/spaces/{spaceId}/pages/{pageId}'], load: () => import('./screens/space/page.tsx') },
  {
    paths: ['/spaces/{spaceId}/revisions/{revisionId}', '/spaces/{spaceId}/revisions/{revisionId}/pages/{pageId}'],
    load: () => import('./screens/space/revision.tsx'),
  },
  { paths: ['/account'], load: () => import('./screens/account/profile.tsx') },
  { paths: ['/account/sessions'], load: () => import('./screens/account/sessions.tsx') },
  { paths: ['/account/tokens'], load: () => import('./screens/account/tokens.tsx') },
  { paths: ['/account/apps'], load: () => import('./screens/account/apps.tsx') },
  { paths: ['/account/notifications'], load: () => import('./screens/account/notification-settings.tsx') },
  {
    paths: ['/notifications', '/notifications/unread'],
    load: () => import('./screens/notifications/notifications.tsx'),
  },
  { paths: ['/operator'], load: () => import('./screens/operator/operator.tsx') },
  { paths: ['/_ui'], load: () => import('./screens/ui-kit/ui-kit.tsx') },
]
