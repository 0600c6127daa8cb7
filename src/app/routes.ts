import type { ScreenRoute } from './router.ts'

/** All screens by their addresses. */
export const routes: readonly ScreenRoute[] = [
  { paths: ['/'], load: () => import('./screens/home/start.tsx') },
  { paths: ['/orgs/{organizationId}'], load: () => import('./screens/home/home.tsx') },
  { paths: ['/spaces/{spaceId}'], load: () => import('./screens/space/read.tsx') },
  { paths: ['/spaces/{spaceId}/pages/{pageId}'], load: () => import('./screens/space/page.tsx') },
  {
    paths: ['/spaces/{spaceId}/revisions/{revisionId}', '/spaces/{spaceId}/revisions/{revisionId}/pages/{pageId}'],
    load: () => import('./screens/space/revision.tsx'),
  },
  { paths: ['/_ui'], load: () => import('./screens/ui-kit/ui-kit.tsx') },
]
