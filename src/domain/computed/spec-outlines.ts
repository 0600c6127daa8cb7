import type { StoredOutline } from '../../openapi/former-paths.ts'
import type { Db } from '../../schema/tables.ts'
import { type SpecRow, findSpec, readOutline } from '../openapi/openapi-store.ts'
import type { OutlinedSpec, SpecOutlines } from './openapi-source.ts'

/** Opens the outlines of an organization's specifications; each is read once. */
export function openSpecOutlines(db: Db, organizationId: string): SpecOutlines {
  const specs = new Map<string, Promise<SpecRow | undefined>>()
  const outlines = new Map<string, Promise<OutlinedSpec | undefined>>()
  const find = (name: string) => getOrAdd(specs, name, () => findSpec(db, organizationId, name))
  const read = async (name: string): Promise<OutlinedSpec | undefined> => {
    const spec = await find(name)
    const text = spec && (await readOutline(db, spec))
    if (text === undefined) return undefined
    const { outline, former } = JSON.parse(text) as StoredOutline
    return { outline, former, isPublic: spec?.visibility === 'public', createdAt: spec?.created_at ?? '' }
  }
  return {
    find: (name) => getOrAdd(outlines, name, () => read(name)),
    async identify(name) {
      const spec = await find(name)
      return spec && JSON.stringify([spec.id, spec.version_id, spec.visibility])
    },
    names: () => [...specs.keys()],
  }
}

function getOrAdd<Value>(values: Map<string, Value>, key: string, create: () => Value): Value {
  const value = values.get(key) ?? create()
  values.set(key, value)
  return value
}
