// The form of the try-it panel as JSON. This file and `build-request.ts` are also part of a script of pages.

/** Form in which a reader enters the values of a request to an operation. */
export interface TryItForm {
  method: string
  path: string
  servers: readonly TryItServer[]
  /** Alternatives of which one is chosen; empty if there is nothing to enter. */
  security: readonly TryItSecurity[]
  parameters: readonly TryItParameter[]
  /** Alternatives by media type. */
  bodies: readonly TryItBody[]
}

export interface TryItServer {
  /** URL with variables in braces. */
  template: string
  variables: readonly { name: string; default: string; values: readonly string[] }[]
}

/** Credentials that are required together; none if a request without authorization is allowed. */
export type TryItSecurity = readonly TryItCredential[]

export type TryItCredential =
  | { kind: 'apiKey'; name: string; location: 'header' | 'query' | 'cookie'; parameterName: string }
  /** A value of the `Authorization` header that begins with `prefix`. */
  | { kind: 'token'; name: string; prefix: string }
  | { kind: 'basic'; name: string }

/** Format of a field: lists are entered with commas, objects as JSON. */
export type TryItFieldKind = 'text' | 'number' | 'boolean' | 'list' | 'object' | 'file'

export interface TryItField {
  name: string
  kind: TryItFieldKind
  /** Type and format, such as `string (date)`. */
  type: string
  isRequired: boolean
  /** Allowed values. */
  values?: readonly string[]
  /** Initial value. */
  value?: string
  /** Example of a value, shown while the field is empty. */
  placeholder?: string
}

export type TryItLocation = 'path' | 'query' | 'header' | 'cookie'

export interface TryItParameter extends TryItField {
  location: TryItLocation
  /** Whether the items of a list are separate parameters with the same name. */
  isExploded: boolean
}

export type TryItBody =
  | { kind: 'text'; mediaType: string; isRequired: boolean; text: string }
  | { kind: 'form' | 'multipart'; mediaType: string; isRequired: boolean; fields: readonly TryItField[] }
  | { kind: 'file'; mediaType: string; isRequired: boolean }

/** Values that a reader entered. Missing values are empty. */
export interface TryItValues {
  /** Index of the server. */
  server: number
  variables: Readonly<Record<string, string>>
  /** Index of the alternative of the authorization. */
  security: number
  /** By the name of the security scheme. */
  credentials: Readonly<Record<string, TryItSecret>>
  /** By location and name; see `parameterKey`. */
  parameters: Readonly<Record<string, string>>
  /** Index of the media type of the body. */
  body: number
  text: string
  /** Fields of a form by name. */
  fields: Readonly<Record<string, string>>
  /** Files by the name of the field; the empty name is the whole body. */
  files: Readonly<Record<string, readonly Blob[]>>
}

export interface TryItSecret {
  /** API key, token or password. */
  secret: string
  username?: string | undefined
}

export const parameterKey = ({ location, name }: Pick<TryItParameter, 'location' | 'name'>): string =>
  `${location} ${name}`
