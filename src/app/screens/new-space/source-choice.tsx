import { Icon } from '../../ui/icon.tsx'
import { newSpaceTexts as texts } from './new-space-texts.ts'
import { type Source, sourceIcons, sourceTexts, sources } from './sources.ts'

/** Chooses the source of the first pages. */
export function SourceChoice({ source, onChange }: { source: Source; onChange: (source: Source) => void }) {
  return (
    <fieldset class="radio-choice">
      <legend>{texts.source}</legend>
      <div class="ways">
        {sources.map((one) => (
          <label key={one} class="way">
            <input type="radio" name="source" checked={one === source} onChange={() => onChange(one)} />
            <Icon name={sourceIcons[one]} size={20} />
            <strong>{sourceTexts[one]}</strong>
            <span>{sourceTexts[`${one}Hint`]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
