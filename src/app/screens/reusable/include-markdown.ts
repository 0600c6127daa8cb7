/** Returns the Markdown that includes a reusable content in a page. */
export const toIncludeMarkdown = (id: string): string => `{% include "/reusable-content/${id}" %}`
