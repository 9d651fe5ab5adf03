/** The tabs of the DJ library, as in its URL. */
export const DJ_LIBRARY_TABS = ['review', 'better', 'matched', 'not_found'] as const
export type DjLibraryTab = (typeof DJ_LIBRARY_TABS)[number]
