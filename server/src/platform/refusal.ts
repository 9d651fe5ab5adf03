/** The status each code answers with; a code that is not here is a broken rule, 422. */
const STATUS: Record<string, number> = {
  malformed: 400,
  not_signed_in: 401,
  session_ended: 401,
  invalid_credentials: 401,
  dj_application_missing: 401,
  dj_application_pending: 401,
  dj_application_declined: 401,
  account_suspended: 401,
  not_allowed: 403,
  not_a_downloading_member: 403,
  subscription_required: 403,
  download_limit_reached: 403,
  link_changed: 403,
  link_expired: 410,
  no_such_call: 404,
  unknown_store: 404,
  unknown_song: 404,
  unknown_version: 404,
  unknown_genre: 404,
  unknown_list: 404,
  unknown_playlist: 404,
  unknown_announcement: 404,
  file_unavailable: 404,
  playlist_title_taken: 409,
  too_large: 413,
  wrong_type: 415,
  rate_limited: 429,
  internal_error: 500,
  temporarily_unavailable: 503,
}

/** Says no, in words: a code for programs and one sentence for the person. */
export class Refusal extends Error {
  readonly code: string
  readonly fields: Record<string, string> | undefined
  readonly errors: string[]
  readonly data: unknown

  constructor(
    code: string,
    sentence: string,
    more: { fields?: Record<string, string>; errors?: string[]; data?: unknown } = {},
  ) {
    super(sentence)
    this.name = 'Refusal'
    this.code = code
    this.fields = more.fields
    this.errors = more.errors ?? [sentence]
    this.data = more.data ?? null
  }

  get status(): number {
    return STATUS[this.code] ?? 422
  }
}
