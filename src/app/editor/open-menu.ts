/** Whether a menu beside the text is open. It belongs to one block or cell until it is closed. */
export function isMenuOpen(host: HTMLElement | null): boolean {
  // The menus are siblings of the host. The host has too many elements to search after each key.
  const siblings = [...(host?.parentElement?.children ?? [])].filter((element) => element !== host)
  return siblings.some((element) => element.querySelector('[aria-expanded="true"]') !== null)
}
