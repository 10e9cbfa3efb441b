/** Writes a text so that spellings of one name that differ in form only become equal. */

/**
 * Equal for: composed and decomposed accents, letter case (independent of the locale, with ß = ss,
 * ς = σ and one i for the Turkish four), full and half width, kinds of apostrophe, kinds and runs of
 * white space; a middle dot between words counts as space. Accents stay.
 */
export function fold(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\uFF01-\uFFEE]+/gu, (run) => run.normalize('NFKC'))
    .replace(/[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('i\u0307', 'i')
    .replaceAll('ς', 'σ')
    .replace(/[\u2018\u2019\u02BC`\u00B4]/gu, "'")
    .replace(/[\s\u00B7\u2022\u2027\u2219\u22C5\u30FB]+/gu, ' ')
    .normalize('NFC')
    .trim()
}

/** Letters that people type plainly though Unicode does not take their stroke or ligature apart. */
const plainLetters: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ё: 'е',
}

/**
 * A folded name as typed on a keyboard without its accents: élodie → elodie, пётр → петр. Only where
 * leaving a mark out is a habit (Latin, Greek, ё); in other scripts the mark is the letter.
 */
export function withoutAccents(folded: string): string {
  return folded
    .replace(/[æœøłđðþё]/gu, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFD')
    .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}]\p{M}*)\p{M}/gu, '')
    .normalize('NFC')
}
