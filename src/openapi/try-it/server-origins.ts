import { buildServerUrl } from './build-request.ts'
import type { TryItServer } from './form.ts'

/** Maximum number of combinations of the values of variables for one server. */
const maxCombinations = 20

/** Host names of which a reader enters the first labels, such as `{tenant}.example.com`. */
const hostWithFreeLabel = /^(https?):\/\/\{([^{}]*)\}((?:\.[a-z0-9-]+){2,}(?::\d+)?)(?=[/?#]|$)/i

/** Returns the origins of a server for all values of its variables; a host that a reader enters has a wildcard. */
export function listServerOrigins(server: TryItServer): string[] {
  const origins = new Set<string>()
  for (const values of combineValues(server)) {
    const url = buildServerUrl(server, values)
    if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) origins.add(new URL(url).origin)
  }
  const [, scheme, name, host] = hostWithFreeLabel.exec(server.template) ?? []
  if (hasFreeValue(server, name)) origins.add(`${scheme}://*${host}`.toLowerCase())
  return [...origins]
}

/**
 * Whether a server may be requested with the entered variables by someone who is not its owner: variables have allowed values or are
 * one label or path segment, and the origin is one of `listServerOrigins`.
 */
export function isAllowedServer(server: TryItServer, entered: Readonly<Record<string, string>>): boolean {
  const areAllowed = server.variables.every(({ name, default: initial, values }) => {
    const value = Object.hasOwn(entered, name) ? (entered[name] ?? '') : ''
    if (value === '' || value === initial) return true
    return values.length > 0 ? values.includes(value) : /^[\w-]{1,100}$/.test(value)
  })
  const url = buildServerUrl(server, entered)
  if (!areAllowed || !URL.canParse(url)) return false
  const { origin } = new URL(url)
  const withWildcard = origin.replace(/^(https?:\/\/)[^.]+/, '$1*')
  return listServerOrigins(server).some((one) => one === origin || one === withWildcard)
}

const hasFreeValue = ({ variables }: TryItServer, name: string | undefined): boolean =>
  variables.some((one) => one.name === name && one.values.length === 0)

function combineValues({ variables }: TryItServer): Record<string, string>[] {
  let combinations: Record<string, string>[] = [{}]
  for (const { name, default: initial, values } of variables) {
    const choices = [...new Set([initial, ...values])]
    combinations = combinations
      .flatMap((one) => choices.map((value) => ({ ...one, [name]: value })))
      .slice(0, maxCombinations)
  }
  return combinations
}
