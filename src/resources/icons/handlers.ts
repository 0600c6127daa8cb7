import { icons } from '../../contract/icons.ts'
import { findIconNames, renderIcon } from '../../icons/icons.ts'
import { implement } from '../../kernel/implement.ts'

export const iconRoutes = implement(icons, {
  listIcons(_context, { query }) {
    const names = query.name ?? findIconNames(query.query ?? '', query.limit)
    const drawn = [...new Set(names)].map((name) => ({ name, svg: String(renderIcon(name, 'regular')) }))
    return { icons: drawn.filter(({ svg }) => svg !== '') }
  },
})
