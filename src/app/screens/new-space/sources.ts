import { defineTexts } from '../../texts.ts'

/** Sources of the first pages of a space. */
export const sources = ['template', 'git', 'website', 'files', 'blank'] as const
export type Source = (typeof sources)[number]

export const sourceTexts = defineTexts('spaceSource', {
  template: 'Start from a template',
  templateHint: 'A guide, a knowledge base and more, ready to fill in.',
  git: 'Import a Git repository',
  gitHint: 'Markdown from GitHub, GitLab or any other host; later synchronized both ways.',
  website: 'Import a website',
  websiteHint: 'Reads the pages below an address, with their pictures.',
  files: 'Upload files',
  filesHint: 'Markdown, HTML, or a ZIP archive of them.',
  blank: 'Start with a blank space',
  blankHint: 'One page with the next steps.',
})

export const sourceIcons = {
  template: 'template',
  git: 'brand-git',
  website: 'world',
  files: 'upload',
  blank: 'file-plus',
} as const satisfies Record<Source, string>
