import type { Formula } from '../../render/formulas.ts'
import { renderFormula } from '../../render/math.ts'
import { serveTasks } from '../../threads/serve.ts'

serveTasks<Formula, string | undefined>({ run: ({ formula, isBlock }) => renderFormula(formula, isBlock) })
