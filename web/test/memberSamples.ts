import type { downloadProfiles, helpdesk, notices, savedSearches } from '@dubplate/contract'

/** Samples of what members’ own screens show besides music. */

export const makeMemberTicket = (overrides: Partial<helpdesk.Ticket> = {}): helpdesk.Ticket => ({
  ...{ ticket_number: 41, subject: 'The waveform stays grey', status: 'open', unread: 0 },
  ...{ department: 'Downloads', priority: 'High', awaiting_reply_from: 'staff' },
  ...{ created_at: '2026-11-20T10:00:00Z', modified_at: '2026-11-21T10:00:00Z' },
  ...overrides,
})

export const makeReply = (overrides: Partial<helpdesk.Reply> = {}): helpdesk.Reply => ({
  ...{ id: 1, admin_id: 5, author: 'Front Desk', details: '<p>Here it is.</p>', quoted: '', via: 'page' },
  ...{ created_at: '2026-11-22T10:00:00Z', attachments: [] },
  ...overrides,
})

export const makePicture = (ticket_file_id: number, filename: string): helpdesk.Attachment => ({
  ...{ ticket_file_id, filename, file_path: `/ticket-files/${ticket_file_id}`, bytes: 1_200 },
  ...{ type: 'image/png', is_image: true },
})

export const makeNotification = (overrides: Partial<notices.Notice> = {}): notices.Notice => ({
  ...{ notification_id: 5, kind: 'reply', text: 'You have a reply.', address: '/ticket/details/41' },
  ...{ created_at: '2026-11-22T10:00:00Z', is_read: false },
  ...overrides,
})

export const makeSavedSearch = (overrides: Partial<savedSearches.SavedSearch> = {}): savedSearches.SavedSearch => ({
  ...{ saved_search_id: 3, name: 'Warm-up', new_songs: 0, seen_at: '2026-11-22T10:00:00Z', by_email: false },
  ...{ feed_url: 'https://pool.test/feed/3', error_message: '', fill_limit: null, filled_at: null },
  query: {
    ...{ searchTerm: 'night drive', genre_id: null, versions: [], not_downloaded: true, song_section_id: 1 },
    SongEntitySearch: { title: '', artist: '', bpm: '120-130', song_key: '', year: '' },
  },
  ...overrides,
})

export const makeDownloadProfile = (
  overrides: Partial<downloadProfiles.DownloadProfile> = {},
): downloadProfiles.DownloadProfile => ({
  ...{ profile_id: 7, name: 'Club laptop', is_default: true },
  ...{ system: 'macos', software: 'rekordbox', music_folder: '/Users/dj/Music' },
  ...{ traktor_volume: 'Macintosh HD', traktor_version: 4, serato_root: '/' },
  ...{ folder_template: '', file_template: '{artist} - {title} ({version})', unicode_form: 'nfc' },
  ...{ key_notation: 'musical', key_field: 'key', comment_template: '' },
  ...{ tags: ['album', 'genre', 'cover'], cover_pixels: 500, rating: 'none' },
  ...{ format: 'original', preferred_versions: false },
  ...overrides,
})
