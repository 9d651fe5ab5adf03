import type { Plugin } from 'vite'

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const ACCENTED = 'ȧƀƈḓḗƒɠħīĵķŀḿƞǿƥɋřşŧŭṽẇẋẏẑȦƁƇḒḖƑƓĦĪĴĶĿḾȠǾƤɊŘŞŦŬṼẆẊẎẐ'
const ACCENT_OF = new Map([...PLAIN].map((character, n) => [character, [...ACCENTED][n] ?? character]))

/** The parts of an ICU message that are not words: values, plural syntax and tags (src/format/message.ts). */
const SYNTAX = /\{\w+\}|\{\w+, plural,|(?:=\d+|zero|one|two|few|many|other) \{|\}|<\/?\w+>|#/g

/** How much longer than in English a text may become in another language, as a fraction. */
const GROWTH = 0.35

/**
 * A text in the pseudo-language: "Save {n} songs" becomes "[Şȧṽḗ {n} şǿƞɠş ····]". Accents reveal texts that do not
 * come from the catalogue, the length reveals overflow, and the brackets reveal clipping.
 */
export function pseudoText(message: string): string {
  let plainText = ''
  let end = 0
  for (const { 0: syntax, index } of message.matchAll(SYNTAX)) {
    plainText += accented(message.slice(end, index)) + syntax
    end = index + syntax.length
  }
  plainText += accented(message.slice(end))
  // In groups, so that long texts can still wrap.
  const padding = '·'.repeat(Math.ceil(message.replace(SYNTAX, '').length * GROWTH)).replace(/·{8}(?=·)/g, '$& ')
  return `[${plainText} ${padding}]`
}

const accented = (text: string): string => [...text].map((character) => ACCENT_OF.get(character) ?? character).join('')

/** One line of a module's texts.ts: `export const save = 'Save'`. */
const TEXT_LINE = /^(export const \w+ =\s+)(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")$/gm

/** Builds the screens in the pseudo-language when DUBPLATE_LANGUAGE=pseudo is set. */
export const pseudoLocale = (): Plugin => ({
  name: 'pseudo-locale',
  enforce: 'pre',
  apply: () => process.env.DUBPLATE_LANGUAGE === 'pseudo',
  transform: {
    filter: { id: /\/src\/.*\/texts\.ts$/ },
    handler: (code) =>
      code.replace(TEXT_LINE, (_, start: string, single?: string, double?: string) => {
        const text = single !== undefined ? single.replace(/\\(.)/g, '$1') : JSON.parse(`"${double}"`)
        return start + JSON.stringify(pseudoText(text))
      }),
  },
})
