/** Whether a menu beside the text is open. It belongs to one block or cell until it is closed. */
export const isMenuOpen = (host: HTMLElement | null): boolean =>
  host?.parentElement?.querySelector(':is(.block-menu, .table-handle) [aria-expanded="true"]') !== null
