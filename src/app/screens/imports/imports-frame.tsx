import type { ComponentChildren } from 'preact'
import { appHref } from '../../base-path.ts'
import { useOrganization } from '../../session.ts'
import { defineTexts } from '../../texts.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { OrganizationFrame } from '../organization/organization-frame.tsx'

export const importTexts = defineTexts('imports', {
  title: 'Imports',
  runs: 'Websites and files',
  git: 'Git',
  new: 'New import',
  empty: 'Nothing was imported yet',
  emptyHint: 'Import a website, Markdown files or a Git repository into a new space.',
  emptyGit: 'No space is connected with Git yet',
  emptyGitHint: 'Import a repository into a new space, or connect a space on its Git screen.',
  files: { one: '{count} file', other: '{count} files' },
  template: 'Template',
  into: 'into {space}',
  pages: '{done} of {total}',
  pending: 'Waiting',
  'in-progress': 'Importing',
  completed: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
  notes: { one: '{count} note', other: '{count} notes' },
  cancel: 'Cancel',
  retry: 'Try again',
  unknownSpace: 'A space',
})

interface ImportsFrameProps {
  organizationId: string
  /** Screen on which an import of this list is started. */
  source: 'website' | 'git'
  children: ComponentChildren
}

/** The frame of the lists of imports of an organization. */
export function ImportsFrame({ organizationId, source, children }: ImportsFrameProps) {
  const permissions = useOrganization(organizationId)?.permissions
  const path = `/orgs/${organizationId}/imports`
  return (
    <OrganizationFrame organizationId={organizationId} crumbs={[{ title: importTexts.title }]}>
      <div class="screen-head">
        <h1 class="screen-title">{importTexts.title}</h1>
        {permissions?.createContent === true && (
          <LinkButton kind="primary" icon="plus" href={appHref(`/orgs/${organizationId}/new?from=${source}`)}>
            {importTexts.new}
          </LinkButton>
        )}
      </div>
      <Tabs
        label={importTexts.title}
        tabs={[
          { title: importTexts.runs, path },
          { title: importTexts.git, path: `${path}/git` },
        ]}
      />
      {children}
    </OrganizationFrame>
  )
}
