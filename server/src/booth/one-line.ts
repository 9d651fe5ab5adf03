// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be removed
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
const NON_CHARACTERS = /[\ufdd0-\ufdef\ufffe\uffff]/g

/**
 * A text as all library files contain it: on one line, without what XML 1.0 forbids even as an entity and without broken
 * surrogates, which stop strict readers of UTF-16.
 */
export const oneLine = (text: string): string =>
  Buffer.from(text, 'utf8')
    .toString('utf8')
    .replace(NON_CHARACTERS, '')
    .replace(CONTROL, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
