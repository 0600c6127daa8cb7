import type { ChangeRequestStatus } from '../../../contract/change-request.ts'
import { defineTexts } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'

const texts = defineTexts('changeRequestStatus', {
  draft: 'Draft',
  open: 'In review',
  merged: 'Merged',
  archived: 'Archived',
})

const looks = {
  draft: { tone: 'neutral', icon: 'circle-dashed' },
  open: { tone: 'accent', icon: 'git-pull-request' },
  merged: { tone: 'success', icon: 'git-merge' },
  archived: { tone: 'neutral', icon: 'archive' },
} as const

export const StatusBadge = ({ status }: { status: ChangeRequestStatus }) => (
  <Badge {...looks[status]}>{texts[status]}</Badge>
)
