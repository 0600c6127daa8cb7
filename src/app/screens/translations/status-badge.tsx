import type { Translation, TranslationRun } from '../../../contract/translation.ts'
import { Badge } from '../../ui/badge.tsx'
import { translationTexts as texts } from './translation-texts.ts'

type Status = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled'

const looks = {
  pending: { tone: 'neutral', icon: 'circle-dashed' },
  running: { tone: 'accent', icon: 'progress' },
  completed: { tone: 'success', icon: 'check' },
  failed: { tone: 'danger', icon: 'x' },
  cancelled: { tone: 'neutral', icon: 'x' },
} as const

const StatusBadge = ({ status, title }: { status: Status; title: string }) => <Badge {...looks[status]}>{title}</Badge>

/** Shows the state of a translation; a failed run ends with `completed` and a failure. */
export function TranslationBadge({ translation: { status, failure } }: { translation: Translation }) {
  const shown = status === 'completed' && failure !== undefined ? 'failed' : status
  return <StatusBadge status={shown} title={texts[shown]} />
}

/** Shows the state of a run. */
export function RunBadge({ run: { status } }: { run: TranslationRun }) {
  return <StatusBadge status={status} title={status === 'completed' ? texts.done : texts[status]} />
}
