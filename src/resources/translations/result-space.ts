import type { Language } from '../../contract/space.ts'
import type { TranslationRow } from '../../domain/translations/translation-store.ts'
import type { SpaceContext } from '../../kernel/context.ts'
import type { Row } from '../../schema/tables.ts'
import { copySpace } from '../spaces/copy-space.ts'

const maxTitleLength = 50

/** Returns the title of a translated space: the title of the source and the name of the language in that language. */
export function titleOfResult({ title }: Pick<Row<'spaces'>, 'title'>, language: Language): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
  const suffix = ` (${name})`
  // Truncated without splitting a surrogate pair.
  const start = title.slice(0, maxTitleLength - suffix.length).replace(/[\uD800-\uDBFF]$/, '')
  return title.endsWith(suffix) ? title : start + suffix
}

/** Creates the space of a translation beside its source, with the same visibility and permissions. */
export const createResultSpace = (
  context: SpaceContext,
  { language, id }: TranslationRow,
  rootHash: string,
): Promise<Row<'spaces'>> =>
  copySpace(context, {
    fields: { title: titleOfResult(context.space, language), language, edit_mode: 'live' },
    rootHash,
    reason: { translation: id },
  })
