import { encodeWindows1252 } from '@dubplate/contract/windows-1252'

/** No name is longer, and the patterns that read names take longer for each letter. */
const MAX_LENGTH = 500

/** Repairs what programs do to texts: HTML entities in tags, UTF-8 that was read as Windows-1252, and spaces. */
export const repairText = (text: string): string =>
  decodeEntities(repairMojibake(text.slice(0, MAX_LENGTH))).replace(/\s+/g, ' ')

/** The first byte of a letter in UTF-8, followed by another one of the same letter. */
const MOJIBAKE = /[\u00c2-\u00f4][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/** 'BeyoncÃ©' → 'Beyoncé'. Other texts are no valid UTF-8 and stay. */
function repairMojibake(text: string): string {
  const bytes = MOJIBAKE.test(text) ? encodeWindows1252(text) : undefined
  if (!bytes) return text
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return text
  }
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const MAX_CODE_POINT = 0x10ffff

const decodeEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#(\d{1,7})|([a-z]+));/gi, (whole, code?: string, name?: string) => {
        if (name) return ENTITIES[name.toLowerCase()] ?? whole
        return Number(code) <= MAX_CODE_POINT ? String.fromCodePoint(Number(code)) : whole
      })
    : text
