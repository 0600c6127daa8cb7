import { docusaurus } from './docusaurus.ts'
import type { SiteGenerator } from './generator.ts'
import { gitbook } from './gitbook.ts'
import { mkdocs } from './mkdocs.ts'
import { starlight } from './starlight.ts'
import { vitepress } from './vitepress.ts'

export const generators: readonly SiteGenerator[] = [docusaurus, vitepress, mkdocs, starlight, gitbook]
