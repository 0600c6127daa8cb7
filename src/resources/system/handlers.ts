import { system } from '../../contract/system.ts'
import { implement } from '../../kernel/implement.ts'

export const systemRoutes = (build: { version: string; builtAt: string }) =>
  implement(system, {
    getApiInformation: () => ({ version: build.version, build: build.builtAt }),
  })
