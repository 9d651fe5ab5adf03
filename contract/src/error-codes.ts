import type { Endpoint } from './endpoint.ts'

/** Codes every endpoint may fail with: the request could not be read, or the server cannot handle it at the moment. */
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

/** Codes that endpoints with this access may fail with before their handler runs. */
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

/** Staff in a View as member session may only read, whichever endpoint they use. */
const VIEWER_ERRORS = ['read_only_session']

/** Every code an endpoint may fail with: its own and those that follow from its access. */
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
