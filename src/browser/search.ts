/** Opens the search above the page. */
export function openSearch(_form: HTMLFormElement, _query: string): void {}
