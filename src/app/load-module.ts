/** Error for a module of the app that could not be loaded. */
export class ModuleLoadError extends Error {
  constructor(cause: unknown) {
    super('A module of the app could not be loaded', { cause })
    this.name = 'ModuleLoadError'
  }
}

/** Loads modules of the app; fails with a `ModuleLoadError`, because browsers describe the reason only in English. */
export const loadModule = <Module>(load: () => Promise<Module>): Promise<Module> =>
  load().catch((error: unknown) => {
    throw new ModuleLoadError(error)
  })

/** Where the browser stores which editor of pages was chosen last. */
export const editorStorageKey = 'octavo.editor'

export const isMarkdownChosen = (): boolean => localStorage.getItem(editorStorageKey) === 'markdown'

/**
 * Starts to load all modules of the visual editor, unless the Markdown editor was chosen. Otherwise the browser would request a
 * module only after loading the modules that import it.
 */
export function preloadVisualEditor(): void {
  const links = document.querySelector<HTMLTemplateElement>('#visual-editor')?.content
  // The links were already added if the list is empty.
  if (links && !isMarkdownChosen()) document.head.append(links)
}
