import { address } from '../router.ts'
import { appHref } from '../base-path.ts'

export interface Tab {
  title: string
  /** Path of the screen. */
  path: string
  count?: number | undefined
}

/** Links to the screens of one resource; the current one is marked. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly (Tab | false | undefined)[] }) {
  const { path } = address.value
  return (
    <nav class="ui-tabs" aria-label={label}>
      {tabs.map(
        (tab) =>
          tab && (
            <a key={tab.path} href={appHref(tab.path)} aria-current={tab.path === path ? 'page' : undefined}>
              {tab.title}
              {tab.count !== undefined && tab.count > 0 && <span class="tab-count">{tab.count}</span>}
            </a>
          ),
      )}
    </nav>
  )
}
