import type { Build } from './build.ts'
import type { Schedule } from './jobs/job.ts'
import type { AnyJobKind } from './jobs/worker.ts'
import type { Route } from './kernel/implement.ts'
import { hours } from './kernel/time.ts'
import { changeRequestRoutes } from './resources/change-requests/handlers.ts'
import { changeRequestReviewRoutes } from './resources/change-requests/reviews.ts'
import { collectionRoutes } from './resources/collections/handlers.ts'
import { changeRequestContentRoutes, revisionRoutes, spaceContentRoutes } from './resources/content/handlers.ts'
import { sweepContent } from './resources/content/sweep.ts'
import { sweepFiles } from './resources/files/sweep.ts'
import { fileRoutes } from './resources/files/uploads.ts'
import { gitRoutes } from './resources/git/handlers.ts'
import { sweepGitOperations, syncWithGit } from './resources/git/operations.ts'
import type { GitServices } from './resources/git/work.ts'
import { importRoutes } from './resources/imports/handlers.ts'
import { importJob } from './resources/imports/job.ts'
import type { ImportServices } from './resources/imports/source.ts'
import { inviteRoutes } from './resources/invites/handlers.ts'
import { memberRoutes } from './resources/members/handlers.ts'
import { organizationRoutes } from './resources/organizations/handlers.ts'
import { collectionPermissionRoutes, spacePermissionRoutes } from './resources/permissions/handlers.ts'
import { spaceRoutes } from './resources/spaces/handlers.ts'
import { purgeSpaces } from './resources/spaces/trash.ts'
import { systemRoutes } from './resources/system/handlers.ts'
import { sweep } from './resources/system/sweep.ts'
import { teamRoutes } from './resources/teams/handlers.ts'
import { userRoutes } from './resources/users/handlers.ts'

/** What handlers and jobs need besides the database. */
export type Services = GitServices & ImportServices

/** Every operation with its handler. */
export function allRoutes(build: Build, services: Services): Route[] {
  return [
    ...systemRoutes(build),
    ...userRoutes,
    ...organizationRoutes,
    ...memberRoutes,
    ...teamRoutes,
    ...inviteRoutes,
    ...collectionRoutes,
    ...collectionPermissionRoutes,
    ...spaceRoutes,
    ...spacePermissionRoutes,
    ...spaceContentRoutes(services),
    ...revisionRoutes,
    ...changeRequestRoutes,
    ...changeRequestReviewRoutes,
    ...changeRequestContentRoutes(services),
    ...fileRoutes,
    ...importRoutes,
    ...gitRoutes(services),
  ]
}

/** What runs again and again. */
export function schedules({ blobs }: Services): Schedule[] {
  return [
    { kind: purgeSpaces, every: hours(1) },
    { kind: sweep, every: hours(1) },
    { kind: sweepFiles(blobs), every: hours(1) },
    { kind: sweepGitOperations, every: hours(1) },
  ]
}

/** Every kind of background work. */
export function jobKinds(services: Services): AnyJobKind[] {
  return [...schedules(services).map(({ kind }) => kind), sweepContent, syncWithGit(services), importJob(services)]
}
