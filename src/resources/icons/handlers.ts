import { icons } from '../../contract/icons.ts'
import { findIconNames, renderIcon } from '../../icons/icons.ts'
import { createYielder } from '../../kernel/event-loop.ts'
import { implement } from '../../kernel/implement.ts'

export const iconRoutes = implement(icons, {
  async listIcons(_context, { query }) {
    const names = query.name ?? findIconNames(query.query ?? '', query.limit)
    // Finding the icon that is most similar to an unknown name takes milliseconds.
    const yieldIfDue = createYielder()
    const found: { name: string; svg: string }[] = []
    for (const name of new Set(names)) {
      await yieldIfDue()
      const svg = String(renderIcon(name, 'regular'))
      if (svg !== '') found.push({ name, svg })
    }
    return { icons: found }
  },
})
