/** Error for a module of the app that could not be loaded. */
export class ModuleLoadError extends Error {
  constructor(cause: unknown) {
    super('A module of the app could not be loaded', { cause })
    this.name = 'ModuleLoadError'
  }
}

/** Loads modules of the app; fails with a `ModuleLoadError`, because browsers explain the reason in English only. */
export const loadModule = <Module>(load: () => Promise<Module>): Promise<Module> =>
  load().catch((error: unknown) => {
    throw new ModuleLoadError(error)
  })
