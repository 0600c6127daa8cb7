import { writeToClipboard } from './clipboard.ts'
import { onClick, announce } from './dom.ts'

/** Copies a text to the clipboard, and announces the result on the button and to screen readers. */
async function copy(text: string | Promise<string>, button: HTMLElement): Promise<void> {
  const { copied = '', copyFailed = '' } = document.body.dataset
  let message = copied
  try {
    await writeToClipboard(text)
    button.dataset['done'] = ''
    setTimeout(() => delete button.dataset['done'], 1600)
  } catch {
    message = copyFailed
  }
  announce(message)
}

const fetchText = async (url: string): Promise<string> => (await fetch(url)).text()

export function startCopying(): void {
  onClick('[data-copy]', (button) => {
    const code = button.closest('[data-code], .prompt')?.querySelector('code')
    // Excludes the lines that a preview marks as removed, and the line break at the end.
    const lines = [...(code?.childNodes ?? [])].filter(
      ({ nodeName, previousSibling }) => nodeName !== 'DEL' && previousSibling?.nodeName !== 'DEL',
    )
    void copy(
      button.dataset['copy'] ||
        lines
          .map((line) => line.textContent)
          .join('')
          .replace(/\n$/, ''),
      button,
    )
  })
  onClick('[data-copy-page]', (button) => void copy(fetchText(button.dataset['copyPage'] ?? ''), button))
  onClick<HTMLAnchorElement>('[data-page-action="mcp"]', (link, event) => {
    event.preventDefault()
    void copy(link.href, link)
  })
}
