/** Whether a media type is XML. */
export const isXml = (mediaType: string): boolean => /[/+]xml\b/i.test(mediaType)

/** Prints a JSON value as XML: fields become elements, and items of a list repeated elements. */
export function printXml(value: unknown, rootName: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${printElement(toElementName(rootName), value, '')}`
}

function printElement(name: string, value: unknown, indent: string): string {
  if (Array.isArray(value)) return value.map((item) => printElement(name, item, indent)).join('\n')
  if (typeof value !== 'object' || value === null) {
    const scalar = value ?? ''
    const text = escapeXml(typeof scalar === 'string' ? scalar : JSON.stringify(scalar))
    return text === '' ? `${indent}<${name} />` : `${indent}<${name}>${text}</${name}>`
  }
  const children = Object.entries(value)
    .map(([key, child]) => printElement(toElementName(key), child, `${indent}  `))
    .filter((child) => child !== '')
  if (children.length === 0) return `${indent}<${name} />`
  return `${indent}<${name}>\n${children.join('\n')}\n${indent}</${name}>`
}

/** Replaces characters that are not allowed in the name of an element. */
const toElementName = (name: string): string => name.replace(/[^\w.-]+/g, '_').replace(/^(?![A-Za-z_])/, '_')

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
