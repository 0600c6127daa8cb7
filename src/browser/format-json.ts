/** Indents JSON without changing its values: numbers keep all of their digits. Returns undefined if the text is not JSON. */
export function formatJson(text: string): string | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  const parts: string[] = []
  let depth = 0
  const startLine = () => `\n${'  '.repeat(Math.min(depth, maxIndentedDepth))}`
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    if (token === '{' || token === '[') {
      depth++
      parts.push(token, startLine())
    } else if (token === '}' || token === ']') {
      depth--
      parts.push(startLine(), token)
    } else if (token === ',') parts.push(token, startLine())
    else if (token === ':') parts.push(': ')
    else parts.push(/^[{[]/.test(token) ? token.replace(/\s/g, '') : token)
  }
  return parts.join('')
}

/** Deeper levels are not indented further, so that the length of the text grows with its source. */
const maxIndentedDepth = 50
