/** Short replacement for the manual, whose import takes longer than the rest of a start. */
export const shortManual: Readonly<Record<string, string>> = {
  'README.md': '# Octavo\n\nDocumentation publishing. See [how to start](getting-started.md).\n',
  'getting-started.md': '# Getting started\n\nIt takes a minute.\n',
  'SUMMARY.md': '# Table of contents\n\n* [Octavo](README.md)\n* [Getting started](getting-started.md)\n',
}
