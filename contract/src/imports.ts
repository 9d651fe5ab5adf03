import * as z from 'zod/mini'
import {
  endpoint,
  fileAddress,
  forCurators,
  id,
  integerBetween,
  nothing,
  page,
  pagination,
  person,
  search,
} from './endpoint.ts'

/** Imports of music folders, from the server or sent by a browser. */

export const IMPORT_STATES = ['uploading', 'waiting', 'running', 'done', 'stopped', 'failed'] as const
export const IMPORT_PHASES = ['plan', 'import'] as const
export const IMPORT_OUTCOMES = ['added', 'skipped', 'noted', 'waiting'] as const
export const IMPORT_FILES_PER_PAGE = 100
/** Files announced in one request. */
export const ANNOUNCE_BATCH_SIZE = 200
export const MAX_IMPORT_FILES = 20_000
/** What a path pattern can read from a path: '{label}/{artist} - {title}'. */
export const PATTERN_FIELDS = [
  'artist',
  'title',
  'version',
  'label',
  'album',
  'genre',
  'year',
  'bpm',
  'key',
  'isrc',
  'ignore',
] as const
export const MAX_PATTERN_LENGTH = 200
/**
 * How to read tags whose text is declared as Latin-1: `automatic` detects the encoding of each file; the others apply
 * to all files.
 */
export const TAG_ENCODINGS = [
  'automatic',
  'western',
  'central_european',
  'cyrillic',
  'greek',
  'turkish',
  'japanese',
  'korean',
  'chinese',
] as const
export type TagEncoding = (typeof TAG_ENCODINGS)[number]

export const importRun = z.object({
  import_run_id: z.number(),
  source: z.enum(['folder', 'browser']),
  /** The folder on the server; for an import from a browser, its name. */
  folder: z.string(),
  song_section_id: z.number(),
  /** Default genre for files without one; '' for no genre. */
  genre: z.string(),
  /** '{label}/{artist} - {title}': how to read values from file paths; '' for the default rules. */
  pattern: z.string(),
  /** How tags that are declared as Latin-1 are read; `automatic` detects the encoding of each file. */
  tag_encoding: z.enum(TAG_ENCODINGS),
  /** `plan`: a preview of the import; `import`: the import itself. */
  phase: z.enum(IMPORT_PHASES),
  state: z.enum(IMPORT_STATES),
  files: z.number(),
  bytes: z.number(),
  /** For a browser import: files that have arrived or do not need to be sent. */
  files_uploaded: z.number(),
  files_done: z.number(),
  bytes_done: z.number(),
  /** Length of the audio to analyse, estimated from the file size if unknown; 0 before the preview. */
  audio_seconds: z.number(),
  audio_seconds_done: z.number(),
  songs_added: z.number(),
  versions_added: z.number(),
  skipped: z.number(),
  noted: z.number(),
  /** How often each reason occurs in the report, the most frequent first. */
  reasons: z.array(z.object({ reason: z.string(), files: z.number() })),
  /** CSV and XLSX sheets in the folder, with the first problems of each. */
  sheets: z.array(
    z.object({
      path: z.string(),
      files_described: z.number(),
      /** `row` is the row number as a spreadsheet program shows it; 0 if the problem concerns the whole sheet. */
      problems: z.array(z.object({ row: z.number(), message: z.string() })),
    }),
  ),
  /** Why it failed; '' if it did not. */
  error_message: z.string(),
  started_by: z.nullable(person),
  created_at: z.string(),
  started_at: z.nullable(z.string()),
  ended_at: z.nullable(z.string()),
})
export type ImportRun = z.output<typeof importRun>

/** Values staff can change for a file before it is imported. */
export const fileDetails = z.object({
  artist: z.string(),
  title: z.string(),
  version_label: z.string(),
  /** Several are separated by commas; '' for the default genre of the import. */
  genre: z.string(),
})
export type FileDetails = z.output<typeof fileDetails>

export const importFile = z.object({
  n: z.number(),
  /** Relative to the folder. */
  path: z.string(),
  bytes: z.number(),
  outcome: z.nullable(z.enum(['added', 'skipped'])),
  reason: z.string(),
  detail: z.string(),
  title: z.string(),
  artist: z.string(),
  version_label: z.string(),
  is_new_song: z.boolean(),
  /** The song an imported file became; null before. */
  entity_id: z.nullable(z.number()),
  note: z.string(),
  /** What the preview read from the file; null before the preview, and if nothing could be read. */
  found: z.nullable(fileDetails),
  /** The fields staff changed in the preview. */
  correction: z.nullable(z.partial(fileDetails)),
  is_excluded: z.boolean(),
  /**
   * Whether staff can change it: the scan is complete, the import has not started, and the file is readable and not in
   * the pool yet.
   */
  can_edit: z.boolean(),
})
export type ImportFile = z.output<typeof importFile>

export const getImports = endpoint({
  ...forCurators,
  path: 'staff/imports.json',
  summary: 'List imports, newest first, and the available import folders.',
  input: z.object({ page }),
  reply: z.object({
    imports: z.array(importRun),
    /** IMPORT_FOLDERS as configured; empty if not set. */
    folders: z.array(z.string()),
    pagination,
  }),
})

export const getImport = endpoint({
  ...forCurators,
  path: 'staff/import.json',
  summary: 'Get an import with its progress.',
  input: z.object({ import_run_id: id('import_run_id') }),
  reply: z.object({ import: importRun }),
  errors: ['unknown_import'],
})

export const getImportFiles = endpoint({
  ...forCurators,
  path: 'staff/import-files.json',
  summary: 'List the files of an import with their results, paginated.',
  input: z.object({
    import_run_id: id('import_run_id'),
    outcome: z.optional(z.enum(IMPORT_OUTCOMES)),
    reason: z._default(z.string().check(z.maxLength(60)), ''),
    /** Part of a path, a title or an artist. */
    search,
    page,
  }),
  reply: z.object({ files: z.array(importFile), pagination }),
  errors: ['unknown_import'],
})

export const getFolders = endpoint({
  ...forCurators,
  path: 'staff/import-folders.json',
  summary: 'List the subfolders of an import folder.',
  input: z.object({ folder: z.string().check(z.trim(), z.maxLength(1000)) }),
  reply: z.object({
    /** The server's path, with links resolved. */
    folder: z.string(),
    /** The parent folder, if it may be read; null at the top. */
    above: z.nullable(z.string()),
    folders: z.array(z.object({ name: z.string(), folder: z.string() })),
    /** Number of files in this folder, not in its subfolders, with the extension of an audio file. */
    files: z.number(),
  }),
  errors: ['import_folders_not_configured', 'folder_not_allowed'],
})

const importOptions = {
  song_section_id: z._default(integerBetween(1, 2, 'song_section_id must be 1 or 2.'), 1),
  genre: z._default(z.string().check(z.trim(), z.maxLength(60, 'Use at most 60 characters.')), ''),
  pattern: z._default(
    z
      .string()
      .check(z.trim(), z.maxLength(MAX_PATTERN_LENGTH, `A pattern can have at most ${MAX_PATTERN_LENGTH} characters.`)),
    '',
  ),
  tag_encoding: z._default(z.enum(TAG_ENCODINGS), 'automatic'),
}

export const startImport = endpoint({
  ...forCurators,
  path: 'staff/start-import.json',
  summary: 'Scan a server folder and report what would be imported. Nothing is imported yet.',
  input: z.object({
    folder: z.string().check(z.trim(), z.minLength(1, 'Choose a folder.'), z.maxLength(1000)),
    ...importOptions,
  }),
  reply: z.object({ import: importRun }),
  errors: ['import_folders_not_configured', 'folder_not_allowed', 'invalid_pattern'],
})

export const createUploadImport = endpoint({
  ...forCurators,
  path: 'staff/begin-import.json',
  summary: 'Create an import for a folder uploaded from the browser.',
  input: z.object({
    folder: z.string().check(z.trim(), z.minLength(1, 'Choose a folder.'), z.maxLength(300)),
    ...importOptions,
  }),
  reply: z.object({ import: importRun }),
  errors: ['invalid_pattern'],
})

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'sha256 must be 64 hexadecimal digits.'))

export const registerFiles = endpoint({
  ...forCurators,
  path: 'staff/announce-import-files.json',
  summary:
    'Register the files of a browser upload with their SHA-256 checksums. Existing files are skipped; upload the others using the tus protocol (upload/files) with the metadata `import_run_id` and `import_file`.',
  input: z.object({
    import_run_id: id('import_run_id'),
    files: z
      .array(
        z.object({
          path: z.string().check(z.minLength(1), z.maxLength(1000, 'Use at most 1,000 characters for a path.')),
          bytes: integerBetween(1, 1_000_000_000_000, 'bytes must be a positive integer.'),
          sha256,
        }),
      )
      .check(z.minLength(1), z.maxLength(ANNOUNCE_BATCH_SIZE)),
  }),
  reply: z.object({
    files: z.array(
      z.object({
        n: z.number(),
        /**
         * `missing`: must be uploaded; `existing`: already in the catalogue; `duplicate`: the same as another file of
         * this import; `uploaded`: has arrived.
         */
        state: z.enum(['missing', 'existing', 'duplicate', 'uploaded']),
        /** SHA-256 of the cover that was sent for its folder; null before. */
        cover: z.nullable(z.string()),
      }),
    ),
  }),
  errors: ['unknown_import', 'import_finished', 'too_many_files'],
})

export const uploadCover = endpoint({
  ...forCurators,
  path: 'staff/send-import-cover.json',
  body: 'multipart',
  summary:
    'Upload the cover picture of a folder, used for files without an embedded cover: the fields `import_run_id` and `import_file` (any registered file of the folder), then the file `picture`, which is re-encoded. Replaces the previous cover.',
  input: nothing,
  reply: nothing,
  errors: [
    'unknown_import',
    'import_finished',
    'unexpected_file',
    'file_required',
    'too_large',
    'invalid_image',
    'image_too_small',
  ],
})

export const MAX_SHEET_BYTES = 5 * 1024 * 1024

export const uploadSheet = endpoint({
  ...forCurators,
  path: 'staff/send-import-sheet.json',
  body: 'multipart',
  summary:
    'Upload a CSV or XLSX sheet that describes the files: the fields `import_run_id` and `path` (relative to the folder), then the file `sheet`, up to 5 MB. Columns: file, artist, title, version, label, ISRC, genre and release date. Replaces a previous sheet with the same path.',
  input: nothing,
  reply: nothing,
  errors: ['unknown_import', 'import_finished', 'file_required', 'too_large', 'too_many_sheets'],
})

const optionalDetail = (name: string, maxLength: number) =>
  z.optional(z.string().check(z.trim(), z.maxLength(maxLength, `${name} can have at most ${maxLength} characters.`)))

export const correctFile = endpoint({
  ...forCurators,
  path: 'staff/correct-import-file.json',
  summary:
    'Edit the values read from a file before it is imported, or leave the file out. Omitted fields are unchanged; `reset` undoes all changes first.',
  input: z.object({
    import_run_id: id('import_run_id'),
    n: id('n'),
    artist: optionalDetail('The artist', 300),
    title: optionalDetail('The title', 300),
    version_label: optionalDetail('The version', 60),
    genre: optionalDetail('The genre', 200),
    is_excluded: z.optional(z.boolean()),
    reset: z._default(z.boolean(), false),
  }),
  reply: z.object({ import: importRun, file: importFile }),
  errors: ['unknown_import', 'import_in_progress', 'import_finished', 'unknown_file', 'not_editable'],
})

export const planImport = endpoint({
  ...forCurators,
  path: 'staff/plan-import.json',
  summary:
    'Scan or rescan an import and report what would be imported. For a browser upload, all files must have been sent. `tag_encoding` changes how tags are read.',
  input: z.object({ import_run_id: id('import_run_id'), tag_encoding: z.optional(z.enum(TAG_ENCODINGS)) }),
  reply: z.object({ import: importRun }),
  errors: [
    'unknown_import',
    'import_finished',
    'import_in_progress',
    'folder_not_allowed',
    'import_folders_not_configured',
  ],
})

export const doImport = endpoint({
  ...forCurators,
  path: 'staff/do-import.json',
  summary: 'Start an import, or continue one that was stopped or failed.',
  input: z.object({ import_run_id: id('import_run_id') }),
  reply: z.object({ import: importRun }),
  errors: [
    'unknown_import',
    'import_finished',
    'import_in_progress',
    'folder_not_allowed',
    'import_folders_not_configured',
  ],
})

export const stopImport = endpoint({
  ...forCurators,
  path: 'staff/stop-import.json',
  summary: 'Stop an import after the current files. It can be continued.',
  input: z.object({ import_run_id: id('import_run_id') }),
  reply: z.object({ import: importRun }),
  errors: ['unknown_import', 'import_finished'],
})

export const removeImport = endpoint({
  ...forCurators,
  path: 'staff/remove-import.json',
  summary: 'Delete an import report and uploaded files that weren’t imported. Imported songs are kept.',
  input: z.object({ import_run_id: id('import_run_id') }),
  reply: nothing,
  errors: ['unknown_import', 'import_in_progress'],
})

export const getImportReport = endpoint({
  ...forCurators,
  path: 'staff/import-report.json',
  summary:
    'Get a signed CSV download link for the import report. The link expires with the session or after 15 minutes.',
  input: z.object({ import_run_id: id('import_run_id') }),
  reply: fileAddress,
  errors: ['unknown_import'],
})
