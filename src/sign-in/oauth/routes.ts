import type { PageRoute } from '../context.ts'
import { authorizeRoutes } from './authorize.ts'
import { metadataRoutes } from './metadata.ts'
import { registerRoutes } from './register.ts'
import { tokenRoutes } from './token.ts'

export const oauthRoutes: readonly PageRoute[] = [
  ...metadataRoutes,
  ...registerRoutes,
  ...authorizeRoutes,
  ...tokenRoutes,
]
