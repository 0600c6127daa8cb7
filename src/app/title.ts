const productName = 'Octavo'

/** Sets the title of the window. */
export function setTitle(title: string | undefined): void {
  document.title = title === undefined || title === '' ? productName : `${title} | ${productName}`
}
