import type { ComponentChildren } from 'preact'
import { useOrganization } from '../../session.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { OrganizationFrame } from '../organization/organization-frame.tsx'
import { translationTexts as texts } from './translation-texts.ts'

interface TranslationsFrameProps {
  organizationId: string
  title: string
  /** Shown beside the title. */
  action?: ComponentChildren
  children: ComponentChildren
}

/** The frame of the screens about translations of an organization. */
export function TranslationsFrame({ organizationId, title, action, children }: TranslationsFrameProps) {
  const isAdmin = useOrganization(organizationId)?.permissions.admin === true
  const path = `/orgs/${organizationId}/translations`
  return (
    <OrganizationFrame
      organizationId={organizationId}
      crumbs={title === texts.title ? [{ title }] : [{ title: texts.title, path }, { title }]}
    >
      <div class="screen-head">
        <h1 class="screen-title">{title}</h1>
        {action}
      </div>
      <Tabs
        label={texts.title}
        tabs={[
          { title: texts.list, path },
          { title: texts.glossary, path: `${path}/glossary` },
          isAdmin && { title: texts.engine, path: `${path}/engine` },
        ]}
      />
      {children}
    </OrganizationFrame>
  )
}
