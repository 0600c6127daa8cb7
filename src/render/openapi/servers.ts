import type { ApiOperation } from '../../openapi/model.ts'
import type { ApiServer } from '../../openapi/servers.ts'
import { type Html, markup, nothing } from '../html.ts'
import type { OpenApiContext } from './openapi-context.ts'

const maxTextLength = 300

/** Renders the servers of an operation, unless there is only one URL. */
export function renderServers({ servers }: ApiOperation, { texts }: OpenApiContext): Html {
  if (servers.length < 2 && servers.every(({ variables }) => variables.length === 0)) return nothing
  const one = ({ template, description, variables }: ApiServer) =>
    markup`<li class="field"><p class="field-head"><code>${template}</code></p>${description !== undefined && markup`<p>${description.slice(0, maxTextLength)}</p>`}${variables.length > 0 && markup`<ul class="limits">${variables.map((variable) => markup`<li><code>{${variable.name}}</code> ${variable.description?.slice(0, maxTextLength)} ${texts.default} <code>${variable.default}</code>${variable.values.length > 1 && markup` ${texts.oneOf}${variable.values.map((value) => markup` <code>${value.slice(0, maxTextLength)}</code>`)}`}</li>`)}</ul>`}</li>`
  return markup`<ul class="fields">${servers.map(one)}</ul>`
}
