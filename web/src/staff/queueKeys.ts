import type { KeyboardEvent } from 'react'

/** These decide something, by the `data-key` of a button: they do nothing else where an item has no such button. */
const DECIDING = new Set(['a', 'c', 'd', 'm', 'n', 'o', 'r', 'u'])
const PRESSING = /^(\w|Enter)$/
const TYPING = 'input:not([type=checkbox]), textarea, select, [contenteditable=true]'

/**
 * Makes a list of focusable items driven by keys: j and k (or the arrows) go from one to the next, the other keys and
 * Enter press the button or link of the item in focus that carries them as `data-key`. What is typed into a field stays
 * there; of a tick box only the space bar is its own.
 */
export const queueKeys = {
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
    const { target, key, repeat, ctrlKey, metaKey, altKey, defaultPrevented } = event
    // A slider in the item answers the arrows itself.
    if (defaultPrevented) return
    if (!(target instanceof HTMLElement) || target.matches(TYPING) || ctrlKey || metaKey || altKey) return
    const item = target.closest<HTMLElement>('[data-item]')
    if (!item) return
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[key]
    const button = PRESSING.test(key) ? item.querySelector<HTMLElement>(`[data-key="${key}"]`) : null
    if (step === undefined && !button && !DECIDING.has(key)) return
    // On a button of the item Enter presses that one.
    if (key === 'Enter' && target !== item) return
    // The player's keys of the same name rest while an item has the focus.
    event.preventDefault()
    if (step !== undefined) return focusBeside(item, step)
    // A key that is held down would go on with the next item, which nobody has read.
    if (!repeat) button?.click()
  },
}

function focusBeside(item: HTMLElement, step: number) {
  const beside = step > 0 ? item.nextElementSibling : item.previousElementSibling
  if (beside instanceof HTMLElement) beside.focus()
}
