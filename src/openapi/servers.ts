import { type SpecObject, getEntries, getList, getObject, getText, isSpecObject } from './spec.ts'

/** A base URL of an API. */
export interface ApiServer {
  /** URL with the default values of its variables, without a trailing slash. */
  url: string
  /** URL as written, with variables in braces. */
  template: string
  description: string | undefined
  variables: readonly ServerVariable[]
}

export interface ServerVariable {
  name: string
  default: string
  description: string | undefined
  values: readonly string[]
}

const maxServers = 20
const maxVariables = 20
const maxValues = 50

/** Maximum length of a URL with its variables replaced. */
const maxUrlLength = 2000

/** Returns the servers of the first level that has any. */
export function readServers(levels: readonly SpecObject[]): ApiServer[] {
  for (const level of levels) {
    const servers = getList(level, 'servers').slice(0, maxServers).filter(isSpecObject).flatMap(readServer)
    if (servers.length > 0) return servers
  }
  return []
}

function readServer(fields: SpecObject): ApiServer[] {
  const template = getText(fields, 'url')?.trim().slice(0, maxUrlLength)
  if (template === undefined) return []
  const variables = getEntries(getObject(fields, 'variables'), maxVariables).flatMap(([name, node]) =>
    isSpecObject(node) ? [readVariable(name, node)] : [],
  )
  const defaults = new Map(variables.map((one) => [one.name, one.default]))
  const url = template
    .replace(/\{([^{}]*)\}/g, (whole, name: string) => defaults.get(name) ?? whole)
    .slice(0, maxUrlLength)
  return [{ url: withoutTrailingSlash(url), template, description: getText(fields, 'description'), variables }]
}

function readVariable(name: string, fields: SpecObject): ServerVariable {
  const values = getList(fields, 'enum')
    .slice(0, maxValues)
    .filter((value): value is string => typeof value === 'string')
  return {
    name,
    default: (getText(fields, 'default') ?? values[0] ?? `{${name}}`).slice(0, maxUrlLength),
    description: getText(fields, 'description'),
    values,
  }
}

const withoutTrailingSlash = (url: string): string => url.replace(/\/+$/, '')
