/** A backup cannot be made, read or restored; the message says what is wrong and what to do. */
export class BackupError extends Error {}
