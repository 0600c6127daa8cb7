import type { Template } from '../../contract/template.ts'
import { parseTemplateRefs } from '../../domain/templates/content-refs.ts'
import type { Urls } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'
import type { BuiltInTemplate } from './built-in-templates.ts'

export function presentBuiltInTemplate(template: BuiltInTemplate, urls: Urls): Template {
  const { id, title, subtitle, emoji, features, pages, contentRefs } = template
  return {
    object: 'template',
    id,
    title,
    subtitle,
    emoji,
    features,
    pages,
    contentRefs,
    builtIn: true,
    urls: { location: urls.api(`/templates/${id}`) },
  }
}

export function presentTemplate(row: Row<'templates'>, urls: Urls): Template {
  return {
    object: 'template',
    id: row.id,
    title: row.title,
    subtitle: row.subtitle,
    ...(row.emoji !== '' && { emoji: row.emoji }),
    features: JSON.parse(row.features) as string[],
    pages: row.pages,
    contentRefs: parseTemplateRefs(row),
    builtIn: false,
    createdAt: row.created_at,
    ...(row.created_by !== null && { createdBy: row.created_by }),
    urls: { location: urls.api(`/orgs/${row.organization_id}/templates/${row.id}`) },
  }
}
