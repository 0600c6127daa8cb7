import type { ContentRef } from '../../content/document/nodes.ts'
import { refKeyOf } from '../../content/repository/copy.ts'
import type { TemplateRef, TemplateUse } from '../../contract/template.ts'
import { invalid } from '../../kernel/errors.ts'

/**
 * Returns the references of a template that a request replaces, by the keys of the references. Fails if the request names a
 * reference that the template does not have; `field` is the path of the template in the body.
 */
export function resolveReplacedRefs(
  declared: readonly TemplateRef[],
  { params }: TemplateUse,
  field: string,
): ReadonlyMap<string, ContentRef> {
  const byName = new Map(declared.map(({ name, ref }) => [name, ref]))
  return new Map(
    Object.entries(params?.contentRefs ?? {}).map(([name, given]) => {
      const ref = byName.get(name)
      const path = `${field}.params.contentRefs.${name}`
      if (!ref) throw invalid(path, describeNames([...byName.keys()]))
      checkRefLength(given, path)
      return [refKeyOf(ref), given]
    }),
  )
}

/** Maximum length of a reference as JSON. A reference is copied to every place where it replaces another one. */
const maxRefLength = 2500

/** Fails if a reference is too long. */
export function checkRefLength(ref: ContentRef, field: string): void {
  if (refKeyOf(ref).length > maxRefLength) throw invalid(field, `must have at most ${maxRefLength} characters as JSON`)
}

function describeNames(names: readonly string[]): string {
  return names.length === 0
    ? 'is not a reference of the template, which has none'
    : `is not a reference of the template; its references are ${names.join(', ')}`
}

export const parseTemplateRefs = (row: { content_refs: string }): TemplateRef[] =>
  JSON.parse(row.content_refs) as TemplateRef[]
