import type { Tags } from './tags.ts'

type ReadEncoding = NonNullable<Tags['encoding']>

/** Texts in UTF-8 that are declared as Latin-1 need no check: they cannot be mistaken. */
const NAMES: Record<Exclude<ReadEncoding, 'utf8'>, string> = {
  central_european: 'Central European (Windows-1250)',
  cyrillic: 'Cyrillic (Windows-1251)',
  greek: 'Greek (Windows-1253)',
  turkish: 'Turkish (Windows-1254)',
  japanese: 'Japanese (Shift-JIS)',
  korean: 'Korean (EUC-KR)',
  chinese: 'Chinese (GB18030)',
}

/** Returns the name of the encoding that tags were read in, if staff should check it; '' otherwise. */
export const encodingName = ({ encoding }: Pick<Tags, 'encoding'>): string =>
  encoding === undefined || encoding === 'utf8' ? '' : NAMES[encoding]

/** Returns the note about the encoding in a preview or report; none if there is nothing to check. */
export const encodingNotes = (name: string): string[] => (name ? [`Tags read as ${name}.`] : [])
