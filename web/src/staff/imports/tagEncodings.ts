import { imports } from '@dubplate/contract'
import * as texts from './texts.ts'

const NAMES: Record<imports.TagEncoding, string> = {
  automatic: texts.encodingAutomatic,
  western: texts.encodingWestern,
  central_european: texts.encodingCentralEuropean,
  cyrillic: texts.encodingCyrillic,
  greek: texts.encodingGreek,
  turkish: texts.encodingTurkish,
  japanese: texts.encodingJapanese,
  korean: texts.encodingKorean,
  chinese: texts.encodingChinese,
}

/** How tags can be read that don’t declare their encoding. */
export const ENCODING_CHOICES = imports.TAG_ENCODINGS.map((value) => ({ value, label: NAMES[value] }))
