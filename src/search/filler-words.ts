import type { Term } from './query.ts'
import { type Language, type SpaceLanguage, resolveLanguage } from './stems.ts'

/** Words of questions that do not describe the searched subject, without accents. */
const fillerWords: { readonly [L in Language]?: string } = {
  en: `a am an and any are as at be been but by can could did do does doing for from had has have he her his how i if in into is it its
    me my need of on or our please shall she should so some than that the their them then there these they this those to us was we
    were what when where which who whom whose why will with would you your`,
  de: `aber als am an auch auf aus bei bin bist da dann das dass dem den der des die dies diese diesen dieser du ein eine einem einen
    einer eines er es fur gibt hat hatte ich ihr im in ist kann konnen man mein meine mit muss nach oder sich sie sind so soll uber um
    und uns von wann warum was welche welchen welcher wenn wer werden wie wieso wir wird wo woher wohin zu zum zur`,
  fr: `a ai au aux avec ce ces cet cette comment combien dans de des du elle en est et faire faut il ils j je la le les leur lui ma mes
    mon ne nous on ou par pas peut peux pour pourquoi qu quand que quel quelle quelles quels qui sa se ses son sont sur ta tes ton tu
    un une vos votre vous y`,
  es: `a al algo como con cual cuales cuando cuanto cuantos de del donde el ella ellos en entre es esta este esto estos hay la las le
    les lo los me mi mis muy no nos o para pero por porque puede puedo que quien quienes se ser si sin sobre son su sus te tiene tu un
    una uno unos y yo`,
  it: `a al alla alle ai che chi ci come con cosa da dal dalla dei del della delle di dove e ed fare gli ha ho i il in io la le lo ma
    mi mia mio nel nella non o per perche piu posso puo qual quale quali quando quanto quanti se si sono su sua suo sul sulla ti tra tu
    un una uno`,
  pt: `a ao aos as com como da das de do dos e ela ele em entre eu ha isso isto la mais mas me meu minha na nao nas no nos o onde os ou
    para pela pelo por porque posso pode qual quais quando quanto quantos que quem se sem seu sua sao sobre um uma voce`,
  nl: `aan als bij dan dat de deze die dit doe een en er ben bent heb hebben heeft hoe hoeveel ik in is je kan kun kunnen maar me met
    mijn moet naar niet of om ons onze op te tot u uit van voor waar waarom wanneer wat we welk welke wie wij worden wordt ze zijn`,
}

const fillerSets = new Map(
  Object.entries({ ...fillerWords, 'pt-br': fillerWords.pt }).map(([language, words = '']) => [
    language,
    new Set(words.split(/\s+/u)),
  ]),
)

/** Removes the words of questions that do not describe the searched subject, unless nothing else remains. */
export function removeFillerWords(terms: readonly Term[], languages: readonly SpaceLanguage[]): readonly Term[] {
  const sets = languages.map((language) => fillerSets.get(resolveLanguage(language)))
  const isFiller = ({ words, isQuoted }: Term) =>
    !isQuoted && words.length === 1 && sets.some((set) => set?.has(words[0] ?? ''))
  const remaining = terms.filter((term) => !isFiller(term))
  return remaining.length > 0 ? remaining : terms
}
