import { create } from 'zustand'

/** Whether the queue is open; separate from the player's state because it is not stored. */
export const useQueuePanel = create<{ open: boolean }>(() => ({ open: false }))

export const toggleQueuePanel = () => useQueuePanel.setState(({ open }) => ({ open: !open }))

export const closeQueuePanel = () => useQueuePanel.setState({ open: false })
