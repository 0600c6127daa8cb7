import type { Organization } from '../../../contract/organizations.ts'
import { appHref } from '../../base-path.ts'
import { defineTexts } from '../../texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { sourceIcons, sourceTexts, sources } from '../new-space/sources.ts'

const texts = defineTexts('waysToStart', {
  title: 'Create your first space',
  text: 'A space contains pages. Write them here, review changes together, and publish them as a site.',
  noSpaces: 'No space yet',
  noSpacesHint: 'You see spaces here as soon as a member of your organization shares one with you.',
})

/** Explains how to create a first space: each option opens the screen for a new space. */
export function WaysToStart({ organization }: { organization: Organization }) {
  if (!organization.permissions.createContent)
    return (
      <EmptyState icon="book" title={texts.noSpaces}>
        {texts.noSpacesHint}
      </EmptyState>
    )
  return (
    <section class="section">
      <h2>{texts.title}</h2>
      <p class="quiet">{texts.text}</p>
      <ul class="ways">
        {sources.map((source) => (
          <li key={source}>
            <a class="way" href={appHref(`/orgs/${organization.id}/new?from=${source}`)}>
              <Icon name={sourceIcons[source]} size={20} />
              <strong>{sourceTexts[source]}</strong>
              <span>{sourceTexts[`${source}Hint`]}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
