/**
 * Copies a text; browsers offer `navigator.clipboard` only with HTTPS and on localhost. Safari allows it only while it handles a click, so a
 * text that is not known yet is passed as a promise.
 */
export async function writeToClipboard(text: string | Promise<string>): Promise<void> {
  if (window.isSecureContext) {
    // Older versions of Firefox have no `ClipboardItem`.
    if (typeof text === 'string' || !('ClipboardItem' in window)) return navigator.clipboard.writeText(await text)
    const blob = text.then((known) => new Blob([known], { type: 'text/plain' }))
    // If there is no text, its error is the reason.
    await Promise.all([text, navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])])
    return
  }
  const area = document.createElement('textarea')
  area.value = await text
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
