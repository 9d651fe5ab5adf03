/** The texts of this module, as ICU messages (docs/decisions/0031-texts.md). */

export const close = 'Close'
export const movedToOf = '{nameOf} moved to {indexOf} of {length}'
export const rowDropped = '{name} dropped'
export const rowPickedUp = '{name} picked up. Use the arrow keys to move it, Space to drop it, Escape to cancel.'
