import type { DocumentFormula } from '../render/formulas.ts'
import { renderFormula } from '../render/math.ts'
import { serveTasks } from '../threads/serve.ts'

serveTasks<DocumentFormula, string | undefined>({ run: ({ formula, isBlock }) => renderFormula(formula, isBlock) })
