import { create } from 'zustand'

/** Whether the queue is on screen; apart from the player's state because nobody comes back to it. */
export const useQueuePanel = create<{ open: boolean }>(() => ({ open: false }))

export const toggleQueuePanel = () => useQueuePanel.setState(({ open }) => ({ open: !open }))

export const closeQueuePanel = () => useQueuePanel.setState({ open: false })
