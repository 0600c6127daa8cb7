import type { ScreenRoute } from './router.ts'

/** All screens by their addresses. */
export const routes: readonly ScreenRoute[] = [
  { paths: ['/'], load: () => import('./screens/home/start.tsx') },
  { paths: ['/orgs/{organizationId}'], load: () => import('./screens/home/home.tsx') },
  { paths: ['/spaces/{spaceId}'], load: () => import('./screens/space/read.tsx') },
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
  { paths: ['/_ui'], load: () => import('./screens/ui-kit/ui-kit.tsx') },
]
