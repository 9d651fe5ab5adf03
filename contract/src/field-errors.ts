import type * as z from 'zod/mini'

/**
 * Error messages for invalid fields. The parser's own messages (“Invalid input: expected string, received undefined”)
 * are for programmers; a field whose rule has its own message keeps it.
 */

/** Labels of fields whose name does not give a good one. */
const LABELS: Record<string, string> = {
  HelpdeskTickets: 'Ticket',
  SongEntitySearch: 'Filters',
  applePay: 'Wallet payment',
  bpm: 'BPM',
  by_email: 'Email notification',
  ccv: 'CCV',
  dj_name: 'DJ name',
  entity_id: 'Song',
  formData: 'Card details',
  ip: 'IP address',
  max_bpm: 'Highest BPM',
  min_bpm: 'Lowest BPM',
  orderDir: 'Sort direction',
  order: 'Sort order',
  pageLimit: 'Page size',
  password_hash: 'Password',
  postcode: 'Zip code',
  region_id: 'State',
  searchTerm: 'Search',
  songData: 'Song details',
  songId: 'Song',
  song_section_id: 'Section',
  street: 'Address',
  store_url: 'Store URL',
  url: 'URL',
  versionId: 'Version',
}

/** `genre_ids` → “Genres”, `preview_loudness` → “Preview loudness”, `startDate` → “Start date”. */
function readLabel(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/_ids$/, 's')
    .replace(/_id$/, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The label of a field as users know it: `['versions', 2, 'new_label']` → “New label”, `['genres', 0]` → “Genres”. */
export function labelOf(path: readonly PropertyKey[]): string {
  const name = path.findLast((part) => typeof part === 'string')
  if (typeof name !== 'string' || name === '') return 'This value'
  return LABELS[name] ?? (readLabel(name) || 'This value')
}

const TYPES: Record<string, string> = {
  array: 'a list',
  boolean: 'true or false',
  date: 'a date and time',
  int: 'a whole number',
  nan: 'a number',
  number: 'a number',
  string: 'text',
}

const FORMATS: Record<string, string> = {
  date: 'a date',
  datetime: 'a date and time',
  email: 'an email address',
  ipv4: 'an IP address',
  ipv6: 'an IP address',
  time: 'a time',
  url: 'a URL',
  uuid: 'an ID',
}

const plural = (count: number | bigint, one: string) => `${count} ${one}${Number(count) === 1 ? '' : 's'}`
const isMissing = (input: unknown) => input === undefined || input === null

type Issue = z.core.$ZodRawIssue

/** Returns one sentence for a parser issue: the field’s label and what is expected of it. */
export function describeIssue(issue: Issue): string {
  const path = issue.path ?? []
  if (path.length === 0 && issue.code !== 'unrecognized_keys') return 'Send the request’s body as a JSON object.'
  const label = labelOf(path)
  if (isMissing(issue.input) && issue.code !== 'too_small') return `${label} is required.`
  return describeValue(issue, label)
}

function describeValue(issue: Issue, label: string): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ? `${label} must be ${TYPES[issue.expected]}.` : wrongFormat(label)
    case 'invalid_value':
      return describeChoice(issue.values, label)
    case 'too_small':
      return describeTooSmall(issue, label)
    case 'too_big':
      return describeTooBig(issue, label)
    case 'invalid_format':
      return FORMATS[issue.format] ? `${label} must be ${FORMATS[issue.format]}.` : wrongFormat(label)
    case 'not_multiple_of':
      return `${label} must be a multiple of ${issue.divisor}.`
    case 'unrecognized_keys':
      return `Unknown ${issue.keys.length === 1 ? 'field' : 'fields'}: ${issue.keys.map(readLabel).join(', ')}.`
    default:
      return wrongFormat(label)
  }
}

const wrongFormat = (label: string) => `${label} is not in the expected format.`

function describeChoice(values: readonly unknown[], label: string): string {
  const choices = values.filter((value) => typeof value === 'string' || typeof value === 'number')
  if (choices.length === 0) return wrongFormat(label)
  if (choices.length === 1) return `${label} must be ${choices[0]}.`
  return `${label} must be one of these: ${choices.join(', ')}.`
}

type Sized<C> = Extract<Issue, { code: C }>

function describeTooSmall({ origin, minimum, inclusive = true }: Sized<'too_small'>, label: string): string {
  if (origin === 'string')
    return Number(minimum) === 1
      ? `${label} cannot be blank.`
      : `${label} needs at least ${plural(minimum, 'character')}.`
  if (origin === 'array' || origin === 'set' || origin === 'map')
    return Number(minimum) === 1 ? `${label}: choose at least one.` : `${label}: choose at least ${minimum}.`
  return inclusive ? `${label} must be ${minimum} or more.` : `${label} must be more than ${minimum}.`
}

function describeTooBig({ origin, maximum, inclusive = true }: Sized<'too_big'>, label: string): string {
  if (origin === 'string') return `${label} can have at most ${plural(maximum, 'character')}.`
  if (origin === 'array' || origin === 'set' || origin === 'map') return `${label}: choose at most ${maximum}.`
  return inclusive ? `${label} must be ${maximum} or less.` : `${label} must be less than ${maximum}.`
}
