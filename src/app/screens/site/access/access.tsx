import { SiteFrame } from '../site-frame.tsx'
import { accessTexts as texts } from './access-texts.ts'
import { AdaptiveSection } from './adaptive-section.tsx'
import { AuthSection } from './auth-section.tsx'
import { ShareLinks } from './share-links.tsx'
import { VisibilitySection } from './visibility-section.tsx'

/** Access to a site: its visibility, share links, visitor sign-in and the claims of visitors. */
export default function SiteAccessScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const { organizationId = '', siteId = '' } = params
  return (
    <SiteFrame organizationId={organizationId} siteId={siteId} screen="access">
      {(site) => (
        <>
          <h1 class="screen-title">{texts.title}</h1>
          <VisibilitySection organizationId={organizationId} site={site} />
          <ShareLinks organizationId={organizationId} site={site} />
          <AuthSection organizationId={organizationId} site={site} />
          <AdaptiveSection organizationId={organizationId} site={site} />
        </>
      )}
    </SiteFrame>
  )
}
