import { type Html, markup, nothing } from './html.ts'
import type { Texts } from './texts.ts'

/** Renders the content of a missing page: a message, suggestions and links. */
export const renderNotFound = (
  { pageNotFound, pageNotFoundHint }: Texts,
  link: { href: string; title: string },
  suggestions: Html = nothing,
): Html =>
  markup`<p class="status-code" aria-hidden="true">404</p><h1 class="page-title">${pageNotFound}</h1><p class="lead">${pageNotFoundHint}</p>${suggestions}<p><a class="button button-primary" href="${link.href}">${link.title}</a></p>`
