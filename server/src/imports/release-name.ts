import { parseVersionInfo } from './version-parser.ts'

/**
 * File names of music releases: without spaces, with '_' within names and '-' between them, a track number at the
 * beginning and the release group at the end: '01-daft_punk-one_more_time-wax',
 * 'Fisher_-_Losing_It_(Extended_Mix)-WEB-2018-KLIN'.
 */

const TRACK = /^(?:(\d{2,3})|([a-h]\d))(?:_-_|[-_])(?=\D|\d+_)/i
/** Catalogue number, kind of release, source, year and group. In capitals, except for the group. */
const RELEASE_TAIL =
  /(?:-\([\w.-]+\))?(?:-(?:SINGLE|EP|LP|WEB|WEBFLAC|CD[A-Z]{0,2}|VINYL|VLS|PROMO|ADVANCE|RETAIL|BOOTLEG|REPACK|REMASTERED|INT|FLAC|16BIT|24BIT|DVBS|SAT|CABLE|LINE|\d{4}))*-(?:WEB|WEBFLAC|CD[A-Z]{0,2}|VINYL|VLS|SAT|CABLE|DVBS)(?:-(?:\d{4}|FLAC|16BIT|24BIT))*(?:-\w{2,12})?$/
const GROUP = /^[a-z0-9]{2,10}$/i
/** A hyphen between names; hyphens within brackets belong to a name. */
const HYPHEN = /-(?![^(]*\))/

/** Returns the name with spaces around its parts, '01. Daft Punk - One More Time'; undefined for any other name. */
export function spaceReleaseName(stem: string): string | undefined {
  if (/\s/.test(stem)) return undefined
  const withoutTail = stem.replace(RELEASE_TAIL, '')
  const match = TRACK.exec(withoutTail)
  const track = match?.[1] ?? match?.[2]?.toUpperCase()
  const rest = match ? withoutTail.slice(match[0].length) : withoutTail
  if (!match && withoutTail === stem) return undefined
  const names = rest.includes('_-_') ? splitSpacedName(rest) : splitPackedName(rest, match !== null)
  if (names.length < 2) return undefined
  const spacedName = names.map((name) => name.replaceAll('_', ' ').trim()).join(' - ')
  return `${track ? `${track}. ` : ''}${/\p{Lu}/u.test(spacedName) ? spacedName : capitalise(spacedName)}`
}

/** 'artist_-_title_(mix)-grp' and 'artist_-_title_(mix)_-_grp'. */
function splitSpacedName(text: string): string[] {
  const parts = text.replace(/(?<=\))-[a-z0-9]{2,10}$/i, '').split(/_-+_/)
  const endsWithGroup = parts.length > 2 && /\)$/.test(parts.at(-2) ?? '') && GROUP.test(parts.at(-1) ?? '')
  return endsWithGroup ? parts.slice(0, -1) : parts
}

/** 'artist-title-grp'. Only a release with a track number is expected to contain its group. */
function splitPackedName(text: string, hasTrackNumber: boolean): string[] {
  const parts = joinHyphenatedParts(text.split(HYPHEN).filter(Boolean))
  const last = parts.at(-1) ?? ''
  if (!hasTrackNumber || parts.length < 3 || !GROUP.test(last) || parseVersionInfo(last)) return parts
  return parts.slice(0, -1)
}

/** Joins 'jay', 'z' to 'jay-z', and 't', 'pain_feat_x' to 't-pain_feat_x'. */
function joinHyphenatedParts(parts: readonly string[]): string[] {
  const joined: string[] = []
  for (const part of parts) {
    const before = joined.at(-1)
    const isSplit = before !== undefined && (/^[a-z]$/i.test(part) || /^[a-z]{1,2}$/i.test(before))
    if (isSplit && parts.length > 2) joined[joined.length - 1] = `${before}-${part}`
    else joined.push(part)
  }
  return joined
}

/** Names of such releases are often written in lower case. */
const capitalise = (text: string): string =>
  text.replace(/(?<=^|[\s([-]|(?<=\b\p{L})\.)\p{Ll}/gu, (character) => character.toUpperCase())
