import type { Endpoint } from './endpoint.ts'

/** Codes any call may fail with: the request could not be read, or the server could not handle it at the moment. */
const COMMON_ERRORS = [
  'invalid_request',
  'unknown_store',
  'unsupported_media_type',
  'too_large',
  'rate_limited',
  'conflict',
  'file_unavailable',
  'insufficient_storage',
  'storage_unavailable',
  'service_unavailable',
  'internal_error',
]

/** Codes that calls with this access may fail with before they run. */
const ERRORS_BY_ACCESS: Record<Endpoint['access'], string[]> = {
  public: [],
  browse: ['not_signed_in', 'session_expired', 'forbidden'],
  applicant: ['not_signed_in', 'session_expired'],
  customer: ['not_signed_in', 'session_expired', 'forbidden'],
  member: ['not_signed_in', 'session_expired', 'forbidden'],
  downloader: [
    ...['not_signed_in', 'session_expired', 'forbidden', 'two_factor_setup_required'],
    ...['downloads_not_allowed', 'subscription_required'],
  ],
  staff: ['unknown_endpoint', 'session_expired', 'insufficient_role', 'two_factor_setup_required'],
}

/** Staff who view the pool as a member may read only, whichever call they make with that session. */
const VIEWER_ERRORS = ['read_only_session']

/** Every code a call may fail with: its own and those that follow from its access. */
export function errorCodesOf(endpoint: Endpoint): Set<string> {
  return new Set([
    ...endpoint.errors,
    ...COMMON_ERRORS,
    ...VIEWER_ERRORS,
    ...ERRORS_BY_ACCESS[endpoint.access],
    ...(endpoint.confirmed ? ['confirm_identity'] : []),
    ...(endpoint.section ? ['section_disabled'] : []),
  ])
}
