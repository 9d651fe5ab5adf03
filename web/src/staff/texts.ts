/** The texts of this module, as ICU messages (docs/decisions/0031-texts.md). */

export const close = 'Close'
