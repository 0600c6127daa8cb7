/** Part of the app whose translated texts are in a module of its own. */
export type TextArea =
  | 'account'
  | 'administration'
  | 'audit'
  | 'change-requests'
  | 'customize'
  | 'editor'
  | 'home'
  | 'imports'
  | 'sites'
  | 'space'
  | 'space-tools'
  | 'specs'
  | 'translations'

/** Areas of screens by their addresses. The first match counts; `{}` is one segment, and addresses below it match too. */
const areasOfScreens: readonly (readonly [start: string, ...areas: readonly TextArea[]])[] = [
  ['/orgs/{}/new', 'home', 'imports'],
  ['/orgs/{}/imports', 'imports'],
  ['/orgs/{}/templates', 'imports'],
  ['/orgs/{}/sites/{}/customize', 'sites', 'customize'],
  ['/orgs/{}/sites/{}/structure', 'sites', 'space'],
  ['/orgs/{}/sites', 'sites'],
  ['/orgs/{}/new-site/content', 'sites', 'home'],
  ['/orgs/{}/new-site/{}/look', 'sites', 'customize'],
  ['/orgs/{}/new-site', 'sites'],
  ['/orgs/{}/specs', 'specs'],
  ['/orgs/{}/openapi', 'specs', 'imports', 'space'],
  ['/orgs/{}/translations', 'translations', 'imports'],
  ['/orgs/{}/change-requests', 'change-requests', 'space'],
  ['/orgs/{}/audit', 'administration', 'audit'],
  ['/orgs/{}/{}', 'administration'],
  ['/orgs', 'home'],
  ['/spaces/{}/pages/{}/edit', 'space', 'editor'],
  ['/spaces/{}/pages', 'space'],
  ['/spaces/{}/revisions', 'space'],
  ['/spaces/{}/comments', 'space'],
  ['/spaces/{}/change-requests/{}/pages', 'space', 'editor', 'change-requests'],
  ['/spaces/{}/change-requests/{}/reusable/{}', 'space', 'editor', 'change-requests'],
  ['/spaces/{}/change-requests/{}/changes', 'space', 'change-requests'],
  ['/spaces/{}/change-requests/{}/conflicts', 'space', 'change-requests'],
  ['/spaces/{}/change-requests/{}/{}', 'space', 'space-tools'],
  ['/spaces/{}/change-requests', 'space', 'change-requests'],
  ['/spaces/{}/compare', 'space', 'space-tools', 'change-requests'],
  ['/spaces/{}/git', 'space', 'imports'],
  ['/spaces/{}/reusable/{}/edit', 'space', 'editor'],
  ['/spaces/{}/{}', 'space', 'space-tools'],
  ['/spaces', 'space'],
  ['/account', 'account'],
  ['/operator', 'administration'],
  ['/_ui', 'editor'],
  ['/', 'home'],
]

/** Returns the areas of the texts that the screen of an address shows. */
export function listTextAreas(path: string): readonly TextArea[] {
  const segments = path.split('/')
  const found = areasOfScreens.find(([start]) =>
    start.split('/').every((part, index) => part === segments[index] || (part === '{}' && segments[index])),
  )
  const [, ...areas] = found ?? ['']
  return areas
}
