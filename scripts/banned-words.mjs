// What `check-words.mjs` refuses, each with what to write instead. The rules behind it: CONTRIBUTING.md, "Words".

/** Words and phrases that no text, comment or document may contain. Matched without regard to case, between word borders. */
export const BANNED_PHRASES = [
  ['anew', 'again, or the exact verb: reload, redraw'],
  ['asker', 'caller'],
  ['bring in', 'import'],
  ['brought in', 'imported'],
  ['came in', 'was imported, arrived'],
  ['catching its breath', 'busy'],
  ['came to nothing', 'failed'],
  ['come to nothing', 'failed'],
  ['comes to nothing', 'fails'],
  ['called so', 'with this name'],
  ['gone elsewhere', 'removed'],
  ['is to be had', 'is available'],
  ['its days are over', 'has expired'],
  ['looked through', 'scanned'],
  ['look through', 'scan'],
  ['meanwhile', 'since you opened it, in the meantime'],
  ['nothing comes in', 'nothing is imported'],
  ['of yours', 'your …'],
  ['past the time', 'overdue'],
  ['put back', 'restored'],
  ['read forgivingly', 'similar'],
  ['somebody else', 'someone else'],
  ['stands now as below', 'is shown below'],
  ['taken up again', 'reopened'],
  ['thrown away', 'deleted, discarded'],
  ['throw away', 'delete, discard'],
  ['two-step sign-in', 'two-factor authentication'],
  ['under way', 'in progress, running'],
  ['what waits', 'needs attention'],
  ['whoever', 'anyone who, the person who'],
  ['whom', 'who, or name the person'],
]

/** Words that no identifier may contain, as one of the words it is put together from: `askAnew` contains `anew`. */
export const BANNED_IDENTIFIER_WORDS = [
  ['anew', 'again, refetch, reload'],
  ['asker', 'caller'],
  ['bones', 'skeleton'],
  ['deed', 'action, auditEntry'],
  ['deeds', 'actions'],
  ['happenings', 'activity'],
  ['meanwhile', 'conflict'],
  ['refusal', 'error'],
  ['refuse', 'reject'],
  ['theirs', 'serverVersion, conflict'],
  ['timetable', 'schedule'],
  ['told', 'notified, shown, or the thing itself'],
  ['untangled', 'withDeadlockRetry'],
  ['upkeep', 'maintenance'],
  ['whoever', 'user, caller'],
  ['whom', 'user, recipient'],
  ['wish', 'params, input, filters, options'],
]

/** A type is named after what it describes: none of these says what. */
export const BANNED_TYPE_NAMES = [
  'Asked', 'Coming', 'Done', 'Found', 'Given', 'Held', 'Kept', 'Left', 'Line', 'Made', 'Named', 'Noted', 'Part', 'Row', 'Rows',
  'Said', 'Seen', 'Shown', 'Taken', 'Thing', 'Told', 'Wanted', 'What', 'Where', 'Which', 'Who', 'Wish', 'World',
] // biome-ignore format: one list
