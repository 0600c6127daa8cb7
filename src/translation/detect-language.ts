import type { Language } from '../contract/space.ts'

/** Scripts of languages that are not written in Latin letters. */
const scripts: { readonly [L in Language]?: RegExp } = {
  ar: /\p{Script=Arabic}/gu,
  bg: /\p{Script=Cyrillic}/gu,
  el: /\p{Script=Greek}/gu,
  he: /\p{Script=Hebrew}/gu,
  hi: /\p{Script=Devanagari}/gu,
  ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  ko: /\p{Script=Hangul}/gu,
  ru: /\p{Script=Cyrillic}/gu,
  th: /\p{Script=Thai}/gu,
  uk: /\p{Script=Cyrillic}/gu,
  yue: /\p{Script=Han}/gu,
  zh: /\p{Script=Han}/gu,
  'zh-tw': /\p{Script=Han}/gu,
}

/** Frequent words of languages that are written in Latin letters. */
const frequentWords: { readonly [L in Language]?: string } = {
  cs: 'a je na se že pro jsou nebo jako který to od jeho být může',
  da: 'og er det til på af for med den ikke som en kan et har',
  de: 'der die das und ist nicht ein eine mit für auf zu den von werden',
  en: 'the and is of to in that for with you this are can or it',
  es: 'el la los las y es de que en un una para con por se',
  et: 'ja on ei see et kui või ning oma mis seda saab teie aga kas',
  fi: 'ja on ei se että tai kun ovat joka tämä voi sen myös voit ole',
  fr: 'le la les et est des du une un pour que dans vous avec sur',
  hr: 'i je na se da za su ili koji to od kao može biti nije',
  hu: 'a az és hogy egy nem is meg ez vagy van kell ha lehet csak',
  id: 'dan yang di untuk dengan ini dari pada adalah atau dapat anda tidak ke itu',
  it: 'il lo la gli e di che un una per con non sono del è',
  lt: 'ir yra kad ne arba tai su kaip į iš galite jūsų ar bet būti',
  lv: 'un ir ka nav vai tas ar kā no uz jūs var lai bet būt',
  ms: 'dan yang di untuk dengan ini dari pada adalah atau boleh anda tidak ke itu',
  nl: 'de het een en is van voor met dat niet op je of te zijn',
  no: 'og er det til på av for med den ikke som en kan et har',
  pl: 'i jest na się nie w z do to że lub jak oraz można dla',
  pt: 'o a os as e é de que em um uma para com por não',
  'pt-br': 'o a os as e é de que em um uma para com você não',
  ro: 'și este de la un o pentru cu care nu sau în să sunt pe',
  sk: 'a je na sa že pre sú alebo ako ktorý to od jeho byť môže',
  sl: 'in je na se da za so ali ki to od kot lahko biti ni',
  sv: 'och är det till på av för med den inte som en kan ett har',
  tr: 've bir bu için ile de da olarak veya olan daha gibi değil ne çok',
  vi: 'và là của có cho không được các trong một với để này bạn khi',
}

const frequentWordSets = new Map(
  Object.entries(frequentWords).map(([language, words]) => [language, new Set(words.split(' '))]),
)

/** Number of letters from which the script of a text is significant; shorter texts may consist of names. */
const minLetters = 40

/** Number of words from which frequent words are significant. */
const minWords = 8

/** Number of different frequent words from which they are significant; single ones exist in several languages. */
const minDifferentWords = 3

/** Whether a text is certainly in another language than expected: in another script, or with frequent words of another language only. */
export function isOtherLanguage(text: string, language: Language): boolean {
  const letters = countMatches(text, /\p{L}/gu)
  const script = scripts[language]
  if (script) return letters >= minLetters && countMatches(text, script) < letters / 5
  if (letters >= minLetters && countMatches(text, /\p{Script=Latin}/gu) < letters / 2) return true
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  if (words.length < minWords) return false
  const findIn = (set: ReadonlySet<string> | undefined) => words.filter((word) => set?.has(word))
  if (findIn(frequentWordSets.get(language)).length > 0) return false
  return [...frequentWordSets.values()].some((set) => {
    const found = findIn(set)
    return found.length >= words.length / 4 && new Set(found).size >= minDifferentWords
  })
}

const countMatches = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
