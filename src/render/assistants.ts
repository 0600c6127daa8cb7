/** AI assistants that accept a question in their URL. Nothing is sent before the visitor follows the link. */
export const assistants = [
  { name: 'ChatGPT', icon: 'openai', urlPrefix: 'https://chatgpt.com/?hints=search&q=' },
  { name: 'Claude', icon: 'sparkles', urlPrefix: 'https://claude.ai/new?q=' },
]

/** Returns links that open a question in AI assistants. */
export const assistantLinks = (question: string): { name: string; href: string }[] =>
  assistants.map(({ name, urlPrefix }) => ({ name, href: urlPrefix + encodeURIComponent(question) }))
