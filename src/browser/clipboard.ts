/** Copies a text; browsers offer `navigator.clipboard` only with HTTPS and on localhost. */
export async function writeToClipboard(text: string): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  const { activeElement } = document
  // Elements outside an open modal dialog cannot be selected.
  ;(activeElement?.closest('dialog') ?? document.body).append(area)
  area.select()
  // oxlint-disable-next-line typescript/no-deprecated -- The only way without HTTPS.
  const isCopied = document.execCommand('copy')
  area.remove()
  if (activeElement instanceof HTMLElement) activeElement.focus()
  if (!isCopied) throw new Error('The browser does not allow copying')
}
