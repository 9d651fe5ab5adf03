import type { KeyboardEvent } from 'react'

/** Keys of actions, by the `data-key` of a button. They do nothing else when an item has no such button. */
const DECIDING = new Set(['a', 'c', 'd', 'm', 'n', 'o', 'r', 'u'])
const PRESSING = /^(\w|Enter)$/
const TYPING = 'input:not([type=checkbox]), textarea, select, [contenteditable=true]'

/**
 * Keyboard navigation for a list of focusable items: j and k (or the arrows) move between items; the other keys and
 * Enter press the button or link of the focused item with that `data-key`. Keys typed into a field are ignored, as is
 * the space bar on a checkbox.
 */
export const queueKeys = {
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
    const { target, key, repeat, ctrlKey, metaKey, altKey, defaultPrevented } = event
    // A slider in the item handles the arrow keys itself.
    if (defaultPrevented) return
    if (!(target instanceof HTMLElement) || target.matches(TYPING) || ctrlKey || metaKey || altKey) return
    const item = target.closest<HTMLElement>('[data-item]')
    if (!item) return
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[key]
    const button = PRESSING.test(key) ? item.querySelector<HTMLElement>(`[data-key="${key}"]`) : null
    if (step === undefined && !button && !DECIDING.has(key)) return
    // Enter on a button of the item presses that button.
    if (key === 'Enter' && target !== item) return
    // The player's shortcuts with the same keys are disabled while an item has the focus.
    event.preventDefault()
    if (step !== undefined) return focusBeside(item, step)
    // A repeated key would decide the next item, which nobody has read.
    if (!repeat) button?.click()
  },
}

function focusBeside(item: HTMLElement, step: number) {
  const beside = step > 0 ? item.nextElementSibling : item.previousElementSibling
  if (beside instanceof HTMLElement) beside.focus()
}
