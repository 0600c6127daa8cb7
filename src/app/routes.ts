import type { ScreenRoute } from './router.ts'

/** All screens by their addresses. */
export const routes: readonly ScreenRoute[] = [
  { paths: ['/'], load: () => import('./screens/home/start.tsx') },
  { paths: ['/orgs/{organizationId}'], load: () => import('./screens/home/home.tsx') },
  { paths: ['/spaces/{spaceId}'], load: () => import('./screens/space/read.tsx') },
  {
    paths: ['/spaces/{spaceId}/change-requests/{number}/pages/{pageId}'],
    load: () => import('./screens/edit/edit.tsx'),
  },
  { paths: ['/spaces/{spaceId}/history'], load: () => import('./screens/history/history.tsx') },
  { paths: ['/spaces/{spaceId}/compare/{from}/{to}'], load: () => import('./screens/history/compare.tsx') },
  { paths: ['/spaces/{spaceId}/files'], load: () => import('./screens/files/files.tsx') },
  { paths: ['/spaces/{spaceId}/links'], load: () => import('./screens/links/links.tsx') },
  { paths: ['/spaces/{spaceId}/settings'], load: () => import('./screens/space-settings/space-settings.tsx') },
  { paths: ['/spaces/{spaceId}/pages/{pageId}'], load: () => import('./screens/space/page.tsx') },
  {
    paths: ['/spaces/{spaceId}/revisions/{revisionId}', '/spaces/{spaceId}/revisions/{revisionId}/pages/{pageId}'],
    load: () => import('./screens/space/revision.tsx'),
  },
  { paths: ['/_ui'], load: () => import('./screens/ui-kit/ui-kit.tsx') },
]
