import { links } from '../../contract/links.ts'
import { implement } from '../../kernel/implement.ts'
import { openChangeRequest, openHead } from './content-version.ts'
import {
  listFileBacklinks,
  listPageBacklinks,
  listReusableContentBacklinks,
  listVariableBacklinks,
} from './list-backlinks.ts'
import { listChangeRequestLinks, listPageLinks, listSpaceLinks } from './list-links.ts'

export const linkRoutes = implement(links, {
  listSpaceLinks: (context, { query }) => listSpaceLinks(context, query),
  listPageLinksInSpace: async (context, { params, query }) =>
    listPageLinks(context, await openHead(context), params.pageId, query),
  listSpacePageBacklinks: async (context, { params, query }) =>
    listPageBacklinks(context, await openHead(context), params.pageId, query),
  listSpaceFileBacklinks: async (context, { params, query }) =>
    listFileBacklinks(context, await openHead(context), params.fileId, query),
  listSpaceReusableContentBacklinks: async (context, { params, query }) =>
    listReusableContentBacklinks(context, await openHead(context), params.reusableContentId, query),
  listSpaceVariableBacklinks: async (context, { params, query }) =>
    listVariableBacklinks(context, await openHead(context), params.variableName, query),
  listChangeRequestReusableContentBacklinks: async (context, { params, query }) =>
    listReusableContentBacklinks(
      context,
      await openChangeRequest(context, params.changeRequestId),
      params.reusableContentId,
      query,
    ),
  listChangeRequestLinks: async (context, { params, query }) =>
    listChangeRequestLinks(context, await openChangeRequest(context, params.changeRequestId), query),
  listPageLinksInChangeRequest: async (context, { params, query }) =>
    listPageLinks(context, await openChangeRequest(context, params.changeRequestId), params.pageId, query),
  listChangeRequestPageBacklinks: async (context, { params, query }) =>
    listPageBacklinks(context, await openChangeRequest(context, params.changeRequestId), params.pageId, query),
  listChangeRequestFileBacklinks: async (context, { params, query }) =>
    listFileBacklinks(context, await openChangeRequest(context, params.changeRequestId), params.fileId, query),
})
