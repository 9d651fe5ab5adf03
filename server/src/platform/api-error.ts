/** HTTP status of each error code; codes not listed here mean a violated rule: 422. */
const STATUS: Record<string, number> = {
  invalid_request: 400,
  not_signed_in: 401,
  session_expired: 401,
  invalid_credentials: 401,
  invalid_reset_link: 401,
  dj_application_missing: 401,
  dj_application_pending: 401,
  dj_application_declined: 401,
  account_suspended: 401,
  email_not_verified: 401,
  two_factor_required: 401,
  two_factor_expired: 401,
  forbidden: 403,
  downloads_not_allowed: 403,
  subscription_required: 403,
  download_limit_reached: 403,
  daily_limit_reached: 403,
  insufficient_role: 403,
  admin_required: 403,
  read_only_session: 403,
  two_factor_setup_required: 403,
  confirm_identity: 403,
  sign_in_again: 403,
  cross_origin_request: 403,
  local_only: 421,
  invalid_link: 403,
  payment_declined: 402,
  invalid_signature: 400,
  unknown_plan: 404,
  unknown_payment: 404,
  unknown_subscription: 404,
  coupon_not_found: 404,
  no_transactions: 404,
  plan_in_use: 409,
  coupon_in_use: 409,
  code_taken: 409,
  ledger_mismatch: 409,
  unknown_member: 404,
  unknown_group: 404,
  unknown_note: 404,
  unknown_job: 404,
  no_invoices: 404,
  already_subscribed: 409,
  payment_in_progress: 409,
  quote_changed: 409,
  provider_unavailable: 503,
  link_expired: 410,
  link_outdated: 410,
  link_used_up: 410,
  link_other_network: 403,
  unknown_bundle: 404,
  unknown_endpoint: 404,
  unknown_store: 404,
  unknown_song: 404,
  unknown_version: 404,
  unknown_genre: 404,
  unknown_list: 404,
  unknown_playlist: 404,
  unknown_application: 404,
  unknown_email: 404,
  unknown_announcement: 404,
  unknown_session: 404,
  unknown_upload: 404,
  unknown_version_type: 404,
  unknown_ticket: 404,
  unknown_department: 404,
  unknown_priority: 404,
  unknown_attachment: 404,
  unknown_faq: 404,
  unknown_saved_reply: 404,
  backup_in_progress: 409,
  unknown_page: 404,
  section_disabled: 404,
  unknown_opening: 404,
  unknown_product: 404,
  unknown_import: 404,
  unknown_file: 404,
  not_editable: 409,
  too_many_sheets: 409,
  import_in_progress: 409,
  import_finished: 409,
  unknown_search: 404,
  unknown_edit: 404,
  already_undone: 409,
  unknown_pin: 404,
  unknown_cover: 404,
  reply_conflict: 409,
  name_taken: 409,
  foreign_resource: 409,
  store_unavailable: 503,
  upload_in_use: 409,
  already_uploaded: 409,
  already_in_catalogue: 409,
  conflict: 409,
  already_published: 409,
  genre_in_use: 409,
  rank_taken: 409,
  insufficient_storage: 507,
  unsupported_file_type: 415,
  file_unavailable: 404,
  playlist_title_taken: 409,
  already_decided: 409,
  already_applied: 409,
  email_taken: 409,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal_error: 500,
  service_unavailable: 503,
  storage_unavailable: 503,
}

/** An error for the caller: a code for programs and one sentence for the user. */
export class ApiError extends Error {
  readonly code: string
  readonly fields: Record<string, string> | undefined
  readonly errors: string[]
  readonly data: unknown
  /** Seconds after which a retry makes sense. */
  readonly retryAfter_seconds: number | undefined

  constructor(
    code: string,
    sentence: string,
    more: { fields?: Record<string, string>; errors?: string[]; data?: unknown; retryAfter_seconds?: number } = {},
  ) {
    super(sentence)
    this.name = 'ApiError'
    this.code = code
    this.fields = more.fields
    this.errors = more.errors ?? [sentence]
    this.data = more.data ?? null
    this.retryAfter_seconds = more.retryAfter_seconds
  }

  get status(): number {
    return STATUS[this.code] ?? 422
  }
}

/**
 * Runs several field checks and throws one ApiError with the errors of all of them and the code of the first. An error
 * that names no field (a limit, a missing row) is thrown at once.
 */
export async function throwAllErrors(checks: readonly (() => unknown)[]): Promise<void> {
  const errors: ApiError[] = []
  for (const check of checks) {
    try {
      await check()
    } catch (error) {
      if (!(error instanceof ApiError) || !error.fields) throw error
      errors.push(error)
    }
  }
  throwCombined(errors)
}

/** Throws these errors combined into one, with the code of the first; does nothing if there are none. */
export function throwCombined(apiErrors: readonly ApiError[]): void {
  const [first] = apiErrors
  if (!first) return
  const fields: Record<string, string> = {}
  for (const [name, sentence] of apiErrors.flatMap((apiError) => Object.entries(apiError.fields ?? {})))
    fields[name] ??= sentence
  const errors = [...new Set(apiErrors.flatMap((apiError) => apiError.errors))]
  throw new ApiError(first.code, first.message, {
    fields,
    errors,
    data: first.data,
    ...(first.retryAfter_seconds === undefined ? {} : { retryAfter_seconds: first.retryAfter_seconds }),
  })
}

/** Runs a check that does not know field names, and reports its error for this field. */
export async function atField<T>(field: string, check: () => Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof ApiError) || error.fields) throw error
    throw fieldError(error.code, field, error.message)
  }
}

/** Creates an error for one field of a request. */
export const fieldError = (code: string, field: string, sentence: string): ApiError =>
  new ApiError(code, sentence, { fields: { [field]: sentence } })
