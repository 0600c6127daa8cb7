import { formatDate } from '../render/texts/locales.ts'
import { renderIcon } from '../icons/icons.ts'

/** Preloads data that the first page would otherwise wait for: the names of icons, and the formatter of dates. */
export function warmUp(): void {
  renderIcon('house', 'regular')
  formatDate(new Date(0).toISOString(), 'en')
}
