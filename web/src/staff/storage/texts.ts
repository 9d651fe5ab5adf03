/** The texts of this module, as ICU messages (docs/decisions/0031-texts.md). */

export const aBackupIsMadeEvery =
  'A backup is made every day at {time} UTC. The last of {daily, plural, one {# day} other {# days}}{weeks} are kept; the ones you start here are never removed.'
export const audio = 'audio/{slice}/{slice2}/{sha256}'
export const backUpNow = 'Back up now'
export const backingUp = 'Backing up…'
export const backupStartedIn = 'Backup started in {folder}'
export const backups = 'Backups'
export const backupsNewestFirst = 'Backups, newest first'
export const byType = 'By type'
export const contentChanged = 'Content changed'
export const copyTheOldSecretInto =
  'Copy the old secret into the new data folder as <code>secret</code>. It isn’t part of the backup, and two-factor sign-in stops working without it.'
export const couldntMeasureStorage = 'Couldn’t measure storage'
export const couldntStartTheBackup = 'Couldn’t start the backup'
export const damaged = 'Damaged'
export const diskUsage = 'Disk usage'
export const emailsThatWerePendingWhen =
  'Emails that were pending when the backup was made are sent again after a restore, unless you add <code>--hold-mail</code>. To restore single files instead, use <code2>--file</code2> or <code3>--song</code3>.'
export const failed = 'Failed'
export const fileIntegrity = 'File integrity'
export const files = 'Files'
export const filesAreStoredInThe =
  'Files are stored in the bucket <b>{bucket}</b>. Temporary files are on this server’s disk.'
export const filesAreStoredInTheData = 'Files are stored in the data folder.'
export const filesCouldntBeReadFrom =
  '{lost, plural, one {# file couldn’t be read from storage and is not in this backup.} other {# files couldn’t be read from storage and are not in this backup.}}'
export const filesKeptInTheBucket = 'files kept in the bucket'
export const filesMissingFromStorageRun =
  '{missing, plural, one {# file} other {# files}} missing from storage. Run <code>npm run pool -- check --fast</code> for a list, then restore from a backup.'
export const found = 'found {found_at}'
export const growth = 'Growth'
export const howToRestore = 'How to restore'
export const largestDatabaseTables = 'Largest database tables'
export const lastIntegrityCheck = 'Last integrity check {at}'
export const lastMeasured = 'Last measured {measured_at}'
export const lastRunOfThisRound = 'Last run {last_run_at}, {round}% of this round done.'
export const latestBackupAgo = 'Latest backup: {waited} ago'
export const latestBackupIsOldLimit =
  'Latest backup is {waited} old (limit: {days, plural, one {# day} other {# days}}).'
export const location = 'Location'
export const measureNow = 'Measure now'
export const measuring = 'Measuring…'
export const measuringStorageResultsAppearHere = 'Measuring storage. Results appear here shortly.'
export const missingAndDamagedOriginals = 'Missing and damaged originals'
export const missingAndTruncatedFilesAre =
  'Missing and truncated files are found every night. Set SCRUB_DAYS to have the content of every file read too.'
export const noIntegrityCheckYetRun =
  'No integrity check yet. Run <code>npm run pool -- check</code> to read every file and verify the ledger.'
export const noRestoreHasBeenRehearsed =
  'No restore has been rehearsed yet: <code>npm run pool -- rehearse-restore FOLDER</code> restores a backup into a scratch database and checks it.'
export const noSong = 'No song'
export const noVerifiedBackupIfThis = 'No verified backup. If this disk fails, data is lost.'
export const notMeasuredYet = 'Not measured yet'
export const notVerified = 'Not verified'
export const ofFree = '{free_bytes} of {disk_bytes} free'
export const originals = 'Originals'
export const pictures = 'Pictures'
export const previews = 'Previews'
export const restoreLastRehearsedWith = 'Restore last rehearsed {ended_at} with <code>{folder}</code>:'
export const rowsApprox = 'Rows (approx.)'
export const runNpmRunPoolRestore =
  'Run <code>npm run pool -- restore FOLDER</code>, then <code2>npm run pool -- check</code2>, then start the server.'
export const savesTo = 'Saves to {backup_dir}'
export const scheduledBackupsAreOffBackup = 'Scheduled backups are off (BACKUP_TIME=off).'
export const setBackupDirOnThe =
  'Set <code>BACKUP_DIR</code> on the worker to back up every night and from this page. Or run <code2>npm run pool -- backup FOLDER</code2> with a timer.'
export const since = 'Since {missing_since}'
export const sinceLineFileStorageDots = '{words} since {name}. Line: file storage. Dots: database.'
export const size = 'Size'
export const sizePerDay = 'Size per day'
export const startedBy = 'started by {made_by}'
export const startedFromTheCommandLine = 'started from the command line'
export const stopTheServerCreateAn =
  'Stop the server. Create an empty database and an empty data folder (or bucket). Restore never overwrites data.'
export const storage = 'storage'
export const storageAndBackups = 'Storage and backups'
export const storageDatabase = 'Storage {store_bytes}, database {database_bytes}'
export const storageIsMeasuredEveryNight = 'Storage is measured every night. Check back tomorrow, or measure now.'
export const storedFilesDamaged =
  '{damaged, plural, one {# stored file is} other {# stored files are}} damaged. Restore from a backup: <code>npm run pool -- repair --from FOLDER</code>'
export const table = 'Table'
export const temporaryFiles = 'Temporary files'
export const theDiskIsAlmostFull =
  'The disk is almost full. Uploads and imports stop when it’s full. Free up space, or move storage to a larger disk or a bucket.'
export const theFirstPartIsRead = '{every} The first part is read tonight.'
export const theseFilesCantBeDownloaded =
  'These files can’t be downloaded. Import the same file again, or copy it from a backup to the path shown: it is offered again within five minutes.'
export const ticketAttachment = 'Ticket attachment'
export const ticketAttachments = 'Ticket attachments'
export const took = 'Took {seconds}'
export const total = 'Total'
export const type = 'Type'
export const unchangedSinceThePreviousBackup = ', {files} unchanged since the previous backup'
export const unusedFilesLeftOverFrom =
  '{orphans, plural, one {# unused file} other {# unused files}} ({orphan_bytes}) left over from cancelled imports. They’re harmless. Run <code>npm run pool -- check --fast</code> to list them.'
export const uploadsInProgress = 'Uploads in progress'
export const usage = 'Usage'
export const verified = 'Verified'
export const verifyTheBackupFirstThis =
  'Verify the backup first. This changes nothing: <code>npm run pool -- restore FOLDER --dry-run</code>'
export const waveformsInTheDatabase = 'Waveforms (in the database)'
export const workersReadEveryStoredFile =
  'Workers read every stored file once in {days, plural, one {# day} other {# days}}, a part each night.'
