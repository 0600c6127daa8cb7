import { useState } from 'preact/hooks'
import { ImageField } from '../../screens/edit/settings/cover-field.tsx'
import { cardValue, imageOf, setCardValue } from '../table/cards.ts'
import type { CellPlace } from '../table/table-model.ts'
import { tableTexts as texts } from '../table/table-texts.ts'
import { FormFrame } from './form-frame.tsx'
import type { FormProps } from './form-props.ts'

/** Chooses the covers of a card. */
export function CoverDialog({ cell, view, place, organizationId, onClose }: FormProps & { cell: CellPlace }) {
  const [light, setLight] = useState(imageOf(cardValue(cell, 'coverDefinition')))
  const [dark, setDark] = useState(imageOf(cardValue(cell, 'coverDefinitionDark')))
  const save = () => {
    view.dispatch(setCardValue(view.state, cell, 'coverDefinition', light ? { ref: light } : null))
    const table = view.state.doc.nodeAt(cell.at)
    const hadDark = cardValue(cell, 'coverDefinitionDark') !== undefined
    if (table && (dark || hadDark))
      view.dispatch(setCardValue(view.state, { ...cell, table }, 'coverDefinitionDark', dark ? { ref: dark } : null))
    onClose()
  }
  return (
    <FormFrame title={texts.cardCover} onClose={onClose} onApply={save}>
      <ImageField {...{ place, organizationId }} label={texts.cardCover} value={light} onChange={setLight} />
      <ImageField {...{ place, organizationId }} label={texts.cardCoverDark} value={dark} onChange={setDark} />
    </FormFrame>
  )
}
