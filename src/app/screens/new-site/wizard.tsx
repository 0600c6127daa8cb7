import type { ComponentChildren } from 'preact'
import { appHref } from '../../base-path.ts'
import { useOrganization } from '../../session.ts'
import { fillText } from '../../texts.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { ForbiddenState } from '../../ui/states.tsx'
import { OrganizationFrame } from '../organization/organization-frame.tsx'
import { newSiteTexts as texts } from './new-site-texts.ts'

const steps = ['name', 'content', 'look', 'audience', 'publish'] as const
type Step = (typeof steps)[number]

interface WizardProps {
  organizationId: string
  step: Step
  title: string
  /** Path of the previous step; opening it changes nothing. */
  backPath?: string | undefined
  /** Title of the button that continues. */
  action: string
  isBusy: boolean
  isComplete: boolean
  onContinue: () => void
  children: ComponentChildren
}

/** One step of creating a site: its fields, and a button for the next step. */
export function Wizard(props: WizardProps) {
  const { organizationId, step, title, backPath, action, isBusy, isComplete, onContinue, children } = props
  const at = steps.indexOf(step)
  const organization = useOrganization(organizationId)
  const crumbs = [{ title: texts.sites, path: `/orgs/${organizationId}/sites` }, { title: texts.title }]
  if (organization?.permissions.createContent === false)
    return (
      <OrganizationFrame organizationId={organizationId} crumbs={crumbs}>
        <ForbiddenState />
      </OrganizationFrame>
    )
  return (
    <OrganizationFrame organizationId={organizationId} crumbs={crumbs}>
      <ol class="wizard-steps" aria-label={texts.steps}>
        {steps.map((one, index) => (
          <li key={one} aria-current={one === step ? 'step' : undefined} class={index < at ? 'is-done' : undefined}>
            {texts[one]}
          </li>
        ))}
      </ol>
      <Form class="wizard" onSubmit={onContinue}>
        <p class="sr-only">{fillText(texts.stepOf, { step: at + 1, count: steps.length })}</p>
        <h1 class="screen-title">{title}</h1>
        {children}
        <div class="wizard-actions">
          {backPath !== undefined && <LinkButton href={appHref(backPath)}>{texts.back}</LinkButton>}
          <Button type="submit" kind="primary" isBusy={isBusy} disabled={!isComplete}>
            {action}
          </Button>
        </div>
      </Form>
    </OrganizationFrame>
  )
}
